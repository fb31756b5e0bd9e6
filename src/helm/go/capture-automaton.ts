/** An instruction of a program of RE2, as re2js compiles it. */
interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  matchRune(rune: number): boolean;
}

/** A compiled program of RE2, as re2js keeps it. */
export interface Program {
  readonly inst: readonly Instruction[];
  readonly start: number;
  readonly numCap: number;
}

/** The operations of re2js, which are those of Go's regexp/syntax. */
const ops = { alt: 1, altMatch: 2, capture: 3, emptyWidth: 4, fail: 5, match: 6, nop: 7, rune: 8, rune1: 9 };
const anyOps = { any: 10, notNewline: 11 };

/** The conditions between two characters that an instruction can ask for. */
const empty = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, wordBoundary: 16, noWordBoundary: 32 };

/** What stands before the character at hand, as far as conditions can tell. */
const before = { begin: 0, newline: 1, word: 2, other: 3 };

const endOfText = 128;
const newline = 10;
/** The source of a thread that begins at the character at hand. */
const fresh = -1;

/** Beyond these the automaton does not pay. */
const maxInstructions = 2000;
const maxStates = 500;
const maxTransitions = 10_000;

/** All threads at one place of the text, the preferred first. */
interface State {
  /** The instruction that each thread goes on with. */
  readonly threads: readonly number[];
  readonly before: number;
  /** Whether a match may still begin here. */
  readonly isSearching: boolean;
  readonly transitions: (Transition | undefined)[];
}

interface Thread {
  /** Its place among the threads of the state before, or `fresh`. */
  readonly source: number;
  /** The registers that get the place at hand. */
  readonly sets: readonly number[];
}

interface Transition {
  readonly target: State;
  readonly threads: readonly Thread[];
  /** Each thread keeps its place, and nothing is set. */
  readonly isIdentity: boolean;
  /** The thread that matches before the character, if one does. */
  readonly match: Thread | undefined;
}

/**
 * Finds where groups stand in short ASCII texts by RE2's leftmost-first rule, many times as fast as the engines of
 * re2js: the sets of threads that a simulation of the program comes to are kept as states of an automaton, with what
 * happens to the groups' places on the way from one to the next (Laurikari, "NFAs with tagged transitions", 2000).
 */
export class CaptureAutomaton {
  readonly #program: Program;
  readonly #states = new Map<string, State>();
  readonly #start: State;
  readonly #registers: number;
  readonly #usedConditions: number;
  #transitions = 0;
  #current = new Int32Array(0);
  #next = new Int32Array(0);

  constructor(program: Program) {
    this.#program = program;
    this.#registers = program.numCap;
    this.#usedConditions = program.inst
      .filter(({ op }) => op === ops.emptyWidth)
      .reduce((used, { arg }) => used | arg, 0);
    this.#start = this.#stateOf([], before.begin, true);
  }

  /** Whether an automaton can stand for the program; one with look-behind cannot. */
  static canRun({ inst }: Program): boolean {
    return inst.length <= maxInstructions && inst.every(({ op }) => op >= ops.alt && op <= anyOps.notNewline);
  }

  /**
   * The places of the first match and its groups in the text, each a start and an end, -1 where a group took no part.
   * @returns null for no match, and undefined where it cannot tell: for a text that is not ASCII, and where the
   *   automaton would grow too large
   */
  find(text: string): number[] | null | undefined {
    let state = this.#start;
    let found: number[] | null = null;
    for (let position = 0; position <= text.length; position++) {
      const code = position === text.length ? endOfText : text.charCodeAt(position);
      if (code > endOfText || (code === endOfText && position < text.length)) return undefined;
      const transition = state.transitions[code] ?? this.#tryAddTransition(state, code);
      if (transition === undefined) return undefined;
      if (transition.match !== undefined) found = this.#registersOf(transition.match, position);
      if (!transition.isIdentity) this.#move(transition.threads, position);
      state = transition.target;
      if (state.threads.length === 0 && !state.isSearching) break;
    }
    return found;
  }

  #registersOf({ source, sets }: Thread, position: number): number[] {
    const registers: number[] = [];
    const from = source * this.#registers;
    for (let register = 0; register < this.#registers; register++) {
      registers.push(source === fresh ? -1 : (this.#current[from + register] ?? -1));
    }
    for (const register of sets) registers[register] = position;
    return registers;
  }

  #move(threads: readonly Thread[], position: number): void {
    const count = this.#registers;
    if (this.#next.length < threads.length * count) this.#next = new Int32Array(2 * threads.length * count);
    const next = this.#next;
    const current = this.#current;
    let to = 0;
    for (const { source, sets } of threads) {
      const from = source * count;
      for (let register = 0; register < count; register++) {
        next[to + register] = source === fresh ? -1 : (current[from + register] ?? -1);
      }
      for (const register of sets) next[to + register] = position;
      to += count;
    }
    this.#next = current;
    this.#current = next;
  }

  #tryAddTransition(state: State, code: number): Transition | undefined {
    if (this.#transitions >= maxTransitions || this.#states.size >= maxStates) return undefined;
    this.#transitions++;
    const step = new Step(this.#program, conditionsBetween(state.before, code), code);
    for (const [source, pc] of state.threads.entries()) step.follow(pc, { source, sets: [] });
    if (state.isSearching) step.follow(this.#program.start, { source: fresh, sets: [0] });
    const target = this.#stateOf(
      step.targets,
      this.#beforeNext(code),
      state.isSearching && step.match === undefined,
    );
    const transition: Transition = {
      target,
      threads: step.threads,
      isIdentity: step.threads.every(({ source, sets }, index) => source === index && sets.length === 0),
      match: step.match,
    };
    state.transitions[code] = transition;
    return transition;
  }

  /** Kinds that no condition of the program tells apart are one. */
  #beforeNext(code: number): number {
    const words = empty.wordBoundary | empty.noWordBoundary;
    if (code === newline && (this.#usedConditions & empty.beginLine) !== 0) return before.newline;
    return isWord(code) && (this.#usedConditions & words) !== 0 ? before.word : before.other;
  }

  #stateOf(threads: readonly number[], kind: number, isSearching: boolean): State {
    const key = `${kind} ${isSearching} ${threads.join()}`;
    let state = this.#states.get(key);
    if (state === undefined) {
      state = { threads, before: kind, isSearching, transitions: [] };
      this.#states.set(key, state);
    }
    return state;
  }
}

/** The threads that come over one character, found from the preferred one on. */
class Step {
  /** The instruction after the character, for each thread. */
  readonly targets: number[] = [];
  readonly threads: Thread[] = [];
  match: Thread | undefined;
  readonly #program: Program;
  readonly #conditions: number;
  readonly #code: number;
  readonly #visited = new Set<number>();
  readonly #taken = new Set<number>();

  constructor(program: Program, conditions: number, code: number) {
    this.#program = program;
    this.#conditions = conditions;
    this.#code = code;
  }

  /** Follows a thread to what takes a character. After a match, threads that are preferred less end. */
  follow(pc: number, thread: Thread): void {
    const pending = [{ pc, sets: thread.sets }];
    for (let item = pending.pop(); item !== undefined && this.match === undefined; item = pending.pop()) {
      if (this.#visited.has(item.pc)) continue;
      this.#visited.add(item.pc);
      const instruction = this.#program.inst[item.pc];
      if (instruction === undefined) continue;
      const { op, out, arg } = instruction;
      if (op === ops.match) this.match = { source: thread.source, sets: [...item.sets, 1] };
      else if (op === ops.alt || op === ops.altMatch) {
        pending.push({ pc: arg, sets: item.sets }, { pc: out, sets: item.sets });
      } else if (op === ops.capture) pending.push({ pc: out, sets: [...item.sets, arg] });
      else if (op === ops.nop) pending.push({ pc: out, sets: item.sets });
      else if (op === ops.emptyWidth) {
        if ((arg & ~this.#conditions) === 0) pending.push({ pc: out, sets: item.sets });
      } else if (op !== ops.fail && this.#takes(instruction) && !this.#taken.has(out)) {
        this.#taken.add(out);
        this.targets.push(out);
        this.threads.push({ source: thread.source, sets: item.sets });
      }
    }
  }

  #takes(instruction: Instruction): boolean {
    if (this.#code === endOfText) return false;
    if (instruction.op === anyOps.any) return true;
    return instruction.op === anyOps.notNewline ? this.#code !== newline : instruction.matchRune(this.#code);
  }
}

function conditionsBetween(kind: number, code: number): number {
  let conditions = 0;
  if (kind === before.begin) conditions |= empty.beginText | empty.beginLine;
  if (kind === before.newline) conditions |= empty.beginLine;
  if (code === endOfText) conditions |= empty.endText | empty.endLine;
  if (code === newline) conditions |= empty.endLine;
  const isBoundary = (kind === before.word) !== isWord(code);
  return conditions | (isBoundary ? empty.wordBoundary : empty.noWordBoundary);
}

function isWord(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x5f
  );
}
