import type { ChartTracer } from "../relocate-chart-input.ts";

/** A renderer that renders the chart as it is once. It has to give the same each time. */
export function rememberRendering(renderer: ChartTracer): ChartTracer {
  let unchanged: ReturnType<ChartTracer["render"]> | undefined;
  return {
    render: async (override) => {
      if (override !== undefined) return renderer.render(override);
      unchanged ??= renderer.render(undefined);
      return unchanged;
    },
    renderWith: async (values, override) => renderer.renderWith(values, override),
  };
}
