import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { run } from "../../src/core/process.ts";
import { withTempDir } from "./temp-dir.ts";

/** Prints its arguments, and ends unless the first is `wait`. */
const source = `package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	fmt.Println("arguments:", os.Args[1:])
	if len(os.Args) > 1 && os.Args[1] == "wait" {
		ended := make(chan os.Signal, 1)
		signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
		<-ended
	}
}
`;

/**
 * Builds a program that needs nothing of the image that it is run in: it prints its arguments, and waits for a signal
 * where the first is `wait`.
 * @throws Error with what Go printed
 */
export async function buildStaticProgram(go: string): Promise<Buffer> {
  return withTempDir(async (folder) => {
    await writeFile(path.join(folder, "go.mod"), "module program\n\ngo 1.19\n");
    await writeFile(path.join(folder, "main.go"), source);
    const built = await run(go, ["build", "-trimpath", "-ldflags", "-s -w", "-o", "program", "."], {
      cwd: folder,
      env: { ...process.env, CGO_ENABLED: "0", GOOS: "linux", GOWORK: "off", GOFLAGS: "" },
    });
    if (built.exitCode !== 0) throw new Error(`go build failed: ${built.stderr}`);
    return readFile(path.join(folder, "program"));
  });
}
