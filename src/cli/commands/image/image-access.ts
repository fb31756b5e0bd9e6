import { Command, Option } from "commander";
import { formatImage } from "../../../imagespec/convert/image-string.ts";
import { combineImageServices } from "../../../imagespec/service/combined-service.ts";
import { createCriImageService } from "../../../imagespec/service/cri/cri-image-service.ts";
import type { ImageService, StoredImage } from "../../../imagespec/service/image-service.ts";
import type { ImageSpec } from "../../../reference/image-spec.ts";
import { createDockerKeychain } from "../../../registry/credentials/docker-keychain.ts";
import type { CliIo } from "../../io.ts";
import { type AciOptions, addAciOptions, openAcis } from "../../options/aci-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../../options/log-options.ts";
import { durationOption } from "../../options/server-options.ts";

/** Flags of every command about the images of a runtime. */
export interface ImageOptions extends AciOptions, LogOptions {
  readonly dockerConfig?: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly output: "text" | "json";
}

/** A command with {@link ImageOptions}. @param timeout how long it may take, by default */
export function imageCommand(name: string, description: string, timeout: string): Command {
  const command = addAciOptions(new Command(name).description(description))
    .option(
      "--docker-config <directory>",
      "folder of docker's config.json with credentials (default: DOCKER_CONFIG, else ~/.docker)",
    )
    .addOption(
      durationOption("--timeout <duration>", "how long it may take, retries included", timeout, { min: 1 }),
    )
    .addOption(
      new Option("--output <format>", "form of the answer").choices(["text", "json"]).default("text"),
    );
  return addLogOptions(command);
}

/** Does work with the images of the runtime that the flags name. */
export async function withImages<Result>(
  options: ImageOptions,
  io: CliIo,
  work: (service: ImageService) => Promise<Result>,
): Promise<Result> {
  const log = loggerFor(options, io);
  const keychain = createDockerKeychain({ configDir: options.dockerConfig, env: io.env });
  const docker = createCriImageService({
    endpoint: options.runtimeEndpoint,
    findCredentials: async (repository) => {
      const found = await keychain.find(repository);
      return found === undefined ? [] : [found];
    },
  });
  const acis = await openAcis(options, io, log);
  const service = combineImageServices(acis === undefined ? [docker] : [docker, acis]);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

/** An image of a runtime, with names as arguments of these commands. */
export interface ToldImage extends Omit<StoredImage, "names"> {
  readonly names: readonly string[];
}

/** What is told of an image. */
export function describeImage({ id, format, names, digests, sizeBytes, pinned }: StoredImage): ToldImage {
  return { id, format, names: names.map(nameOf), digests, sizeBytes, pinned };
}

/** An image as an argument of these commands. */
export function nameOf(spec: ImageSpec): string {
  const { aci } = spec;
  if (aci === undefined) return formatImage(spec);
  const { name, tag, id } = aci;
  return `aci:${name}${tag === undefined ? "" : `:${tag}`}${id === undefined ? "" : `@${id}`}`;
}
