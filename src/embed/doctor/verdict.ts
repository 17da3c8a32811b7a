/** Result of one check. */
export interface Verdict {
  readonly status: 'ok' | 'warning' | 'fault';
  /** The finding, and the remedy for a warning or fault. */
  readonly message: string;
}

export const ok = (message: string): Verdict => ({ status: 'ok', message });
export const warn = (message: string): Verdict => ({ status: 'warning', message });
export const fault = (message: string): Verdict => ({ status: 'fault', message });
