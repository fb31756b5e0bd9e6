/** What a Lease of coordination.k8s.io/v1 says in its `spec`. */
export interface LeaseRecord {
  /** Empty: nobody holds it. */
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  /** By the holder's clock; nobody else goes by it. */
  readonly acquireTime: Date;
  readonly renewTime: Date;
  /** How often it went from one holder to another. */
  readonly leaseTransitions: number;
}

/** A Lease as the API server has it. */
export interface StoredLease {
  readonly record: LeaseRecord;
  readonly resourceVersion: string;
}

/** One Lease at the API server. What goes wrong is thrown; a signal that aborts ends a request. */
export interface LeasePort {
  /** Undefined: there is none. */
  get(signal: AbortSignal): Promise<StoredLease | undefined>;
  /** Undefined: there is one. */
  create(record: LeaseRecord, signal: AbortSignal): Promise<StoredLease | undefined>;
  /** Undefined: it has another version, or there is none. */
  update(record: LeaseRecord, resourceVersion: string, signal: AbortSignal): Promise<StoredLease | undefined>;
}

/** Whether two records are one and the same. */
export function equalRecords(left: LeaseRecord, right: LeaseRecord): boolean {
  return JSON.stringify(fieldsOf(left)) === JSON.stringify(fieldsOf(right));
}

function fieldsOf(record: LeaseRecord): readonly (string | number)[] {
  const { holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions } = record;
  return [holderIdentity, leaseDurationSeconds, +acquireTime, +renewTime, leaseTransitions];
}
