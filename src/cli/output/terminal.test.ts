import { expect, test } from "vitest";
import { describeTerminal } from "./terminal.ts";

const tty = { isTTY: true, columns: 120 };

test.each([
  { name: "a terminal", stream: tty, environment: {}, interactive: true, width: 120, colour: true },
  { name: "a pipe", stream: {}, environment: {}, interactive: false, width: undefined, colour: false },
  {
    name: "a terminal without columns",
    stream: { isTTY: true },
    environment: {},
    interactive: true,
    width: 80,
    colour: true,
  },
  {
    name: "NO_COLOR",
    stream: tty,
    environment: { NO_COLOR: "1" },
    interactive: true,
    width: 120,
    colour: false,
  },
  {
    name: "an empty NO_COLOR",
    stream: tty,
    environment: { NO_COLOR: "" },
    interactive: true,
    width: 120,
    colour: true,
  },
  {
    name: "a dumb terminal",
    stream: tty,
    environment: { TERM: "dumb" },
    interactive: false,
    width: 120,
    colour: false,
  },
  {
    name: "FORCE_COLOR in a pipe",
    stream: {},
    environment: { FORCE_COLOR: "1" },
    interactive: false,
    width: undefined,
    colour: true,
  },
  {
    name: "FORCE_COLOR over NO_COLOR",
    stream: tty,
    environment: { FORCE_COLOR: "1", NO_COLOR: "1" },
    interactive: true,
    width: 120,
    colour: true,
  },
  {
    name: "FORCE_COLOR=0",
    stream: tty,
    environment: { FORCE_COLOR: "0" },
    interactive: true,
    width: 120,
    colour: false,
  },
])("$name", ({ stream, environment, interactive, width, colour }) => {
  const terminal = describeTerminal(stream, environment);
  expect(terminal).toMatchObject({ interactive, width });
  expect(terminal.colours.red("x")).toBe(colour ? "\u001b[31mx\u001b[39m" : "x");
});
