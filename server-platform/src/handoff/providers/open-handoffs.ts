import { randomBytes } from 'node:crypto';
import type { HandoffSession } from '../session/index.ts';

/** A hand-off that another system may talk to. */
export interface OpenHandoff {
  readonly projectId: string;
  readonly session: HandoffSession;
}

/** The hand-offs of this node that other systems may talk to, by the id they know them under. */
export class OpenHandoffs {
  readonly #open = new Map<string, OpenHandoff>();

  /** A new id, which reveals only the session. */
  static newId(sessionId: string): string {
    return `ho_${sessionId}_${randomBytes(6).toString('hex')}`;
  }

  /** The session that an id belongs to; null for an invalid id. */
  static sessionOf(handoffId: string): string | null {
    return /^ho_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_[0-9a-f]{12}$/.exec(handoffId)?.[1] ?? null;
  }

  add(handoffId: string, handoff: OpenHandoff): void {
    this.#open.set(handoffId, handoff);
  }

  get(handoffId: string): OpenHandoff | null {
    return this.#open.get(handoffId) ?? null;
  }

  remove(handoffId: string): void {
    this.#open.delete(handoffId);
  }
}
