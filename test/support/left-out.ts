/** How the note of every left-out test begins; the reporter beside it collects them at the end of the run. */
export const leftOutPrefix = "left out: ";
