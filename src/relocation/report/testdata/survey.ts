import type { ChartResult, ImageFinding, SurveyEntry } from "../../result.ts";
import { countedImages, judge } from "../../verdict.ts";

/** An image for a test: a moved one of Docker Hub unless told otherwise. */
export function createImage(changes: Partial<ImageFinding> = {}): ImageFinding {
  return {
    source: "nginx:1.23",
    sourceSpec: { dockerImage: { registry: "docker.io", name: "library/nginx", tag: "1.23" } },
    target: "harbor.example.com/dockerio/library/nginx:1.23",
    targetSpec: {
      dockerImage: { registry: "harbor.example.com", name: "dockerio/library/nginx", tag: "1.23" },
    },
    status: "moved",
    values: [{ file: "charts/shop/values.yaml", line: 4, valuePath: "web.image" }],
    places: [
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        namespace: "default",
        name: "web",
        field: "spec.template.spec.containers[0].image",
        container: "web",
        template: "shop/templates/web.yaml",
        form: "container",
      },
    ],
    enabled: true,
    ...changes,
  };
}

/** An image that the override sets and that nothing rendered. */
export function createPlannedImage(changes: Partial<ImageFinding> = {}): ImageFinding {
  return createImage({ status: "planned", places: [], ...changes });
}

/**
 * A chart's result for a test, with the verdict that its images deserve under a threshold of 100. It was
 * rendered, unless all its images are planned ones.
 */
export function createResult(
  images: readonly ImageFinding[],
  changes: Partial<ChartResult> = {},
): ChartResult {
  const isRendered = images.length === 0 || images.some(({ status }) => status !== "planned");
  const chartInstall = isRendered ? "passed" : "not-run";
  const counted = countedImages(images, chartInstall);
  return {
    chart: { name: "shop", version: "1.2.3", path: "charts/shop" },
    targetRegistry: "harbor.example.com",
    verdict: judge({
      images: counted.length,
      moved: counted.filter(({ status }) => status !== "not-moved").length,
      threshold: 100,
      chartInstall,
      hasUnexpectedChange: false,
    }),
    images,
    diagnostics: [],
    override: "web:\n  image: harbor.example.com/dockerio/library/nginx:1.23\n",
    projects: [{ host: "harbor.example.com", kind: "project", name: "dockerio" }],
    ...changes,
  };
}

/** An entry whose exit code is 4 where the chart did not move fully. */
export function createEntry(result: ChartResult): SurveyEntry {
  return { result, exitCode: result.verdict.rate < 100 ? 4 : 0, durationMs: 250 };
}

/** A chart that could not be read. */
export const failedEntry: Extract<SurveyEntry, { failure: unknown }> = {
  failure: {
    chart: { path: "charts/broken" },
    error: {
      code: "chart-invalid",
      message: "a mapping value is not allowed here",
      where: { file: "charts/broken/values.yaml", line: 7, column: 12 },
      hint: "Check the indentation",
    },
    exitCode: 3,
  },
  exitCode: 3,
  durationMs: 12,
};
