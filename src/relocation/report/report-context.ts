/** What a report says of the run itself. */
export interface ReportContext {
  readonly toolVersion: string;
  /** Left out of the report where undefined, so that two runs over the same charts agree. */
  readonly generatedAt: Date | undefined;
}
