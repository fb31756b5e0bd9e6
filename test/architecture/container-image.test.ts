import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { arrangements } from "../../scripts/deploy/arrangements.ts";
import { platforms } from "../../scripts/release/single-binary.ts";
import { lastStage, readContainerfile, textsOf } from "../support/containerfile.ts";
import { repositoryRoot } from "./source-file.ts";

const instructions = readContainerfile("deploy/Containerfile");
const image = lastStage(instructions);

/** Debian's packages of the programs that are started: by git those of ssh, by gpg its agent. */
const packages: Readonly<Record<string, readonly string[]>> = {
  git: ["git", "ca-certificates", "openssh-client"],
  gpg: ["gpg", "gpg-agent"],
  gpgconf: ["gpg"],
};

/** The programs that automation names. */
function startedPrograms(): readonly string[] {
  const folder = path.join(repositoryRoot, "src/automation/git");
  const sources = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const text = sources.map((name) => readFileSync(path.join(folder, name), "utf8")).join("\n");
  return [
    ...new Set([...text.matchAll(/\brun\(\s*"(?<program>[^"]+)"/gu)].map(([, program = ""]) => program)),
  ];
}

describe("deploy/Containerfile", () => {
  test("begins with what is named by tag and digest, or with nothing", () => {
    const stages = textsOf(instructions, "FROM").map((text) => text.split(" AS ")[1]);
    for (const text of textsOf(instructions, "FROM")) {
      const [from = ""] = text.split(" ");
      const isStage = stages.some(
        (stage) => stage !== undefined && from.startsWith(stage.split("-")[0] ?? ""),
      );
      if (from === "scratch" || isStage) continue;
      expect(from).toMatch(/^[a-z.]+\/[a-z/]+:[\w.-]+@\$\{BASE_DIGEST\}$/u);
    }
    // Without a default: nobody builds on what nobody chose.
    expect(textsOf(instructions, "ARG")).toContain("BASE_DIGEST");
  });

  test("runs as nobody, who is the user of the manifests", () => {
    expect(textsOf(image, "USER")).toEqual(["65532:65532"]);
    expect(image.findIndex(({ name }) => name === "USER")).toBeGreaterThan(
      image.findLastIndex(({ name }) => name === "RUN"),
    );
    for (const [, manifests] of arrangements()) {
      const text = JSON.stringify(manifests);
      if (text.includes("runAsUser")) expect(text).toContain('"runAsUser":65532,"runAsGroup":65532');
    }
  });

  test("takes nothing from elsewhere and no secrets", () => {
    expect(textsOf(instructions, "ADD")).toEqual([]);
    const named = [...textsOf(instructions, "ARG"), ...textsOf(instructions, "ENV")].join("\n");
    expect(named).not.toMatch(/secret|token|password|key/iu);
    expect(textsOf(instructions, "RUN").join("\n")).not.toMatch(/curl|wget|--mount=type=secret/u);
  });

  test("copies what a release writes, and the builder sees nothing else", () => {
    const copied = textsOf(instructions, "COPY").filter((text) => !text.startsWith("--from"));
    expect(copied).toEqual([
      ...platforms.map((platform) => `release/fairlead-${platform} /fairlead`),
      "release/NOTICES.txt /usr/share/doc/fairlead/NOTICES.txt",
    ]);
    const ignored = readFileSync(path.join(repositoryRoot, ".dockerignore"), "utf8");
    expect(ignored).toBe("*\n!release/NOTICES.txt\n!release/fairlead-linux-*\n");
  });

  test.each(startedPrograms())("has %s, which is started", (program) => {
    const install = textsOf(image, "RUN").find((text) => text.includes("apt-get install")) ?? "";
    expect(install.split(/\s+/u)).toEqual(expect.arrayContaining([...(packages[program] ?? [program])]));
  });

  test("tells the ports of the manifests", () => {
    const ports = [...JSON.stringify([...arrangements()]).matchAll(/"containerPort":(\d+)/gu)].map(
      ([, port]) => port,
    );
    expect(new Set(textsOf(image, "EXPOSE").join(" ").split(" "))).toEqual(new Set(ports));
  });

  test("starts without a shell", () => {
    const [entrypoint = ""] = textsOf(image, "ENTRYPOINT");
    expect(JSON.parse(entrypoint)).toEqual(["/usr/bin/tini", "--", "/usr/local/bin/fairlead"]);
    expect(textsOf(image, "CMD")).toEqual([]);
  });
});
