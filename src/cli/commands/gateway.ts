import { Command } from "commander";
import type { CliIo, Exit } from "../io.ts";
import { createGatewayServeCommand } from "./gateway/serve.ts";
import { createKubeconfigCommand } from "./gateway/kubeconfig.ts";

/** `fairlead gateway`: the Kubernetes API with structured images. */
export function createGatewayCommand(io: CliIo, exit: Exit): Command {
  return new Command("gateway")
    .description(
      "Stand in front of a Kubernetes API server, and let clients see and write imageSpec beside image.",
    )
    .addCommand(createGatewayServeCommand(io, exit), { isDefault: true })
    .addCommand(createKubeconfigCommand(io, exit));
}
