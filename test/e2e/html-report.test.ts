import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { run } from "../../src/core/process.ts";
import { chartYaml, writeFiles } from "../support/chart-files.ts";
import { createCheckout, type Checkout } from "../support/checkout.ts";
import { faintTexts } from "../support/contrast.ts";
import { describeWithTools } from "../support/tools.ts";

const script = `<script>document.title="owned"</script><img src=x onerror=alert(1)>`;

/** Charts of which none comes through, each in its own way. */
const brokenCharts: Readonly<Record<string, string>> = {
  "literal/Chart.yaml": chartYaml("literal"),
  "literal/values.yaml": "image: docker.io/library/nginx:1.23\n",
  "literal/templates/pod.yaml": podOf("literal", [`"{{ .Values.image }}"`, "quay.io/acme/agent:v1"]),
  "malformed/Chart.yaml": chartYaml("malformed"),
  "malformed/values.yaml": "image: [nginx\nother: 1\n",
  "refusing/Chart.yaml": chartYaml("refusing"),
  "refusing/templates/pod.yaml": `{{ fail "a name is missing:\\n- set <name>" }}\n`,
  "hostile/Chart.yaml": chartYaml("hostile"),
  "hostile/values.yaml": `image: ${JSON.stringify(script)}\n`,
  "hostile/templates/_helpers.tpl": `{{ fail (printf "%s" .Values.image) }}\n`,
  "hostile/templates/pod.yaml": `{{ fail .Values.image }}\n`,
};

function podOf(name: string, images: readonly string[]): string {
  const containers = images.map((image, index) => `    - name: c${index}\n      image: ${image}\n`);
  return `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\nspec:\n  containers:\n${containers.join("")}`;
}

await describeWithTools(["helm3", "chromium"], "the HTML report in a browser", (tools) => {
  let checkout: Checkout;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let report: string;
  /** What the page said on the console or asked of the network. */
  let noise: string[];

  beforeAll(async () => {
    checkout = await createCheckout(tools.helm3);
    await writeFiles(path.join(checkout.path, "broken"), brokenCharts);
    const charts = [
      "examples/shop",
      "broken/literal",
      "broken/malformed",
      "broken/refusing",
      "broken/hostile",
    ];
    const target = ["--target-registry", "harbor.example.com:5000", "--source-registries", "*"];
    const args = ["survey", ...charts, ...target, "--report", "report.html"];
    const { exitCode, stderr } = await run("fairlead", args, { cwd: checkout.path, env: checkout.env });
    expect(exitCode, stderr).toBe(3);
    report = path.join(checkout.path, "report.html");
    browser = await chromium.launch({
      executablePath: tools.chromium,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
    });
  });

  afterAll(async () => {
    await browser?.close();
    await checkout?.remove();
  });

  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true });
    page = await context.newPage();
    noise = [];
    page.on("console", (message) => noise.push(message.text()));
    page.on("pageerror", (error) => noise.push(error.message));
    page.on("dialog", (dialog) => void dialog.dismiss().then(() => noise.push("a dialog")));
    page.on("request", (request) => {
      if (request.url() !== pathToFileURL(report).href) noise.push(request.url());
    });
    await page.goto(pathToFileURL(report).href);
  });

  afterEach(async () => {
    await context.close();
    expect(noise).toEqual([]);
  });

  const shownCharts = (): Promise<string[]> => page.locator("#charts > li:visible h3").allTextContents();
  const chart = (name: string): ReturnType<Page["locator"]> =>
    page.locator("#charts > li").filter({ has: page.locator("h3", { hasText: name }) });

  test("says at once what moved, and names the charts that failed first", async () => {
    expect(await page.locator("h1").textContent()).toBe(
      "13 of 14 images moved, 1 not moved. 3 charts failed.",
    );
    expect(await shownCharts()).toEqual([
      "broken/hostile",
      "broken/malformed",
      "broken/refusing",
      "literal",
      "shop",
    ]);
    expect(await page.locator(".tile").first().textContent()).toContain("92.8%");
  });

  test("a closed chart tells which image did not move, why and where", async () => {
    expect(await chart("literal").locator(".why").textContent()).toBe(
      "quay.io/acme/agent:v1 the template holds its name as a literal at templates/pod.yaml:10:22",
    );
    expect(await chart("malformed").locator(".why").isVisible()).toBe(true);
  });

  test("an open chart shows each image with its target and its places, and the override", async () => {
    await chart("literal").locator("summary").first().click();
    const rows = await chart("literal").locator("tbody tr").allInnerTexts();
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain("Not moved");
    expect(rows[0]).toContain("Pod/literal, container c1");
    expect(rows[1]).toContain("harbor.example.com:5000/dockerio/library/nginx:1.23");
    expect(rows[1]).toContain("values.yaml:1");
    await chart("literal").locator("summary", { hasText: "Override" }).click();
    expect(await chart("literal").locator("pre").innerText()).toBe(
      "image: harbor.example.com:5000/dockerio/library/nginx:1.23",
    );
  });

  test("a chart that failed keeps the lines of helm's message", async () => {
    await chart("refusing").locator("summary").click();
    expect(await chart("refusing").locator(".message").innerText()).toContain(
      "a name is missing:\n- set <name>",
    );
  });

  test("text of a chart stays text", async () => {
    await page.getByRole("button", { name: "Open all" }).click();
    expect(await chart("hostile").locator(".message").innerText()).toContain(script);
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator("img, iframe, object, main script, main a").count()).toBe(0);
  });

  test("filters by words and by problems, counts, sorts, and says when nothing fits", async () => {
    const filter = page.getByRole("searchbox", { name: "Filter charts and images" });
    await filter.fill("QUAY.IO agent");
    expect(await shownCharts()).toEqual(["literal"]);
    expect(await page.locator("#shown").textContent()).toBe("1 of 5 charts");
    await filter.fill("no such chart");
    expect(await page.locator("#empty").isVisible()).toBe(true);
    await filter.fill("");
    await page.getByLabel("Only problems (4)").check();
    expect(await shownCharts()).not.toContain("shop");
    await chart("literal").locator("summary").first().click();
    expect(await chart("literal").locator("tbody tr:visible").count()).toBe(1);
    await page.getByLabel("Only problems (4)").uncheck();
    await page.getByLabel("Sort").selectOption("most images");
    expect((await shownCharts())[0]).toBe("shop");
  });

  test("is used with the keyboard alone", async () => {
    await page.keyboard.press("Tab");
    await page.keyboard.type("literal");
    expect(await shownCharts()).toEqual(["literal"]);
    // The problems box, the order and the button come before the charts.
    for (let stop = 0; stop < 4; stop++) await page.keyboard.press("Tab");
    expect(await chart("literal").locator("summary:focus-visible").count()).toBe(1);
    await page.keyboard.press("Enter");
    expect(await chart("literal").locator("table").isVisible()).toBe(true);
    await page.keyboard.press("Space");
    expect(await chart("literal").locator("table").isVisible()).toBe(false);
  });

  describe.each(["light", "dark"] as const)("in %s colours", (colorScheme) => {
    test.each([390, 1280])("nothing is cut off at %i px", async (width) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await page.getByRole("button", { name: "Open all" }).click();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    });

    test("every text is told from its ground", async () => {
      await page.emulateMedia({ colorScheme });
      await page.getByRole("button", { name: "Open all" }).click();
      expect(await page.evaluate(faintTexts)).toEqual([]);
    });
  });

  test("without its script everything is there but the toolbar", async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const still = await plain.newPage();
    await still.goto(pathToFileURL(report).href);
    expect(await still.locator("#toolbar").isVisible()).toBe(false);
    await still.locator("#charts > li > details > summary").last().click();
    expect(await still.locator("#charts table").last().isVisible()).toBe(true);
    await plain.close();
  });

  test("is one file that names no other", async () => {
    expect(await readFile(report, "utf8")).not.toMatch(/<link|@import|url\(| src=["']|<base/u);
  });
});
