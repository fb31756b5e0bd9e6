/** What the name of a registry of AWS says. */
export interface EcrHost {
  readonly kind: "private" | "public";
  readonly region: string;
  /** Of the partition: `amazonaws.com` but for China and for closed regions. */
  readonly domain: string;
  readonly fips: boolean;
}

/** As the credential helper of ECR knows them, but whole. */
const privateHost =
  /^\d{12}\.dkr\.ecr(?<fips>-fips)?\.(?<region>[a-z0-9-]{1,40})\.(?<domain>amazonaws\.com(?:\.cn)?|amazonaws\.eu|sc2s\.sgov\.gov|c2s\.ic\.gov|cloud\.adc-e\.uk|csp\.hci\.ic\.gov)$/u;

/** Reads the host of a registry; undefined for what is none of AWS. */
export function tryParseEcrHost(registry: string): EcrHost | undefined {
  // Tokens for the public registry are given in one region alone.
  if (registry === "public.ecr.aws") {
    return { kind: "public", region: "us-east-1", domain: "amazonaws.com", fips: false };
  }
  const { region, domain, fips } = privateHost.exec(registry)?.groups ?? {};
  if (region === undefined || domain === undefined) return undefined;
  return { kind: "private", region, domain, fips: fips !== undefined };
}
