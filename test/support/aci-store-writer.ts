import { writeFile } from "node:fs/promises";
import { defaultAciLimits } from "../../src/imagespec/service/aci/aci-limits.ts";
import { openAciStore } from "../../src/imagespec/service/aci/aci-store.ts";
import { verifyArchive } from "../../src/imagespec/service/aci/verify-archive.ts";
import { makeAci } from "./aci-archive.ts";

/**
 * A program that stores and removes images in the folder of its first argument until it is killed, and writes a line
 * for each image that it has stored.
 */
const [folder = "", seed = ""] = process.argv.slice(2);
const store = await openAciStore(folder);
const signal = new AbortController().signal;
console.log("ready");
for (let count = 0; ; count += 1) {
  const base = await prepare("x.example/base", `${count % 5}`);
  const top = await prepare("x.example/top", `${seed} ${count}`);
  const tag = `${seed}-${count % 3}`;
  store.add([base, { ...top, dependencies: [base.id] }], tag);
  console.log(`${tag} ${top.id}`);
  if (count % 4 === 3) store.removeTag("x.example/top", `${seed}-${(count + 1) % 3}`);
}

async function prepare(name: string, content: string): Promise<Parameters<typeof store.add>[0][number]> {
  const archiveFile = store.workFile();
  const file = store.workFile();
  await writeFile(archiveFile, makeAci({ name }, { content, bulk: content.padEnd(200_000, "x") }));
  const { id, manifestBytes, imageBytes, archiveBytes } = await verifyArchive(archiveFile, file, {
    limits: defaultAciLimits,
    signal,
  });
  return { id, name, manifest: manifestBytes, imageBytes, archiveBytes, dependencies: [], file };
}
