/** appc specification 0.8.11, "AC Identifier Type". */
const identifierPattern = /^[a-z0-9]+(?:[-._~/][a-z0-9]+)*$/u;

const imageIdPattern = /^sha512-[a-f0-9]{128}$/u;

/** A label of an image: `version`, `os`, `arch`, and what its publisher names besides. */
export interface Label {
  readonly name: string;
  readonly value: string;
}

/** What appc calls the machine that images run on. */
export interface AppcPlatform {
  readonly os: string;
  readonly arch: string;
}

/** Architectures of Go's that appc names otherwise, for Linux (`ValidOSArch` of the appc schema). */
const archNames: Readonly<Record<string, string>> = {
  "386": "i386",
  arm64: "aarch64",
  arm: "armv7l",
};

/** Go's names of appc's architectures, with the variant where there is one. */
const architectures: Readonly<Record<string, { readonly architecture: string; readonly variant?: string }>> =
  {
    i386: { architecture: "386" },
    x86_64: { architecture: "amd64" },
    aarch64: { architecture: "arm64" },
    aarch64_be: { architecture: "arm64be" },
    armv6l: { architecture: "arm", variant: "v6" },
    armv7l: { architecture: "arm", variant: "v7" },
    armv7b: { architecture: "armbe", variant: "v7" },
  };

/** Whether a text is an AC identifier, such as the name of an image or a label. */
export function isAcIdentifier(text: string): boolean {
  return identifierPattern.test(text);
}

/** Whether a text is the ID of an image: `sha512-` and 128 hexadecimal characters. */
export function isImageId(text: string): boolean {
  return imageIdPattern.test(text);
}

/** A platform of Go's in appc's words, such as `linux` and `aarch64`. */
export function toAppcPlatform(os: string, architecture: string): AppcPlatform {
  return { os, arch: archNames[architecture] ?? architecture };
}

/** An architecture of appc's in Go's words, with its variant. */
export function toArchitecture(arch: string): { readonly architecture: string; readonly variant?: string } {
  return Object.hasOwn(architectures, arch)
    ? (architectures[arch] ?? { architecture: arch })
    : { architecture: arch };
}
