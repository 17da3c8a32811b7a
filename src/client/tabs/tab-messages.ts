import { isFields } from '../../protocol/index.ts';
import { hasShape } from '../has-shape.ts';

/** From the tab that holds the socket. `number` counts its steps, so that a gap is noticed. */
export interface LeaderMessage<State, Step> {
  /** Since when it leads: a later one has a higher number, and an earlier one is not believed any more. */
  readonly leader: number;
  readonly number: number;
  /** Everything, for tabs that have just come. */
  readonly state?: State;
  /** What changed since. A message with neither only says that the leader is there. */
  readonly step?: Step;
}

/** From a tab that mirrors. Without `ask` it only wants to hear that the leader is there. */
export interface FollowerMessage<Ask> {
  /** The last step it knows; below 0 when it needs everything. */
  readonly follower: number;
  readonly ask?: Ask;
}

export type TabMessage<State, Step, Ask> = LeaderMessage<State, Step> | FollowerMessage<Ask>;

const FOLLOWER: FollowerMessage<unknown> = { follower: 0 };
const LEADER: LeaderMessage<unknown, unknown> = { leader: 0, number: 0 };

/**
 * A message from the channel; null for anything else that a script of the page's origin has posted there. What a
 * message carries is not looked into: only scripts of this very origin can write to the channel.
 */
export function readTabMessage<State, Step, Ask>(given: unknown): TabMessage<State, Step, Ask> | null {
  if (!isFields(given) || !(hasShape(given, FOLLOWER) || hasShape(given, LEADER))) return null;
  const carried = [given['ask'], given['state'], given['step']].filter((part) => part !== undefined);
  return carried.every(isFields) ? (given as TabMessage<State, Step, Ask>) : null;
}
