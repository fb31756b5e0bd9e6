import type { TracingRenderer } from "./dead-leaves.ts";

/** A renderer that renders the chart as it is once. It has to give the same each time. */
export function rememberRendering(renderer: TracingRenderer): TracingRenderer {
  let unchanged: ReturnType<TracingRenderer["render"]> | undefined;
  return {
    render: async (override) => {
      if (override !== undefined) return renderer.render(override);
      unchanged ??= renderer.render(undefined);
      return unchanged;
    },
    renderWith: async (values) => renderer.renderWith(values),
  };
}
