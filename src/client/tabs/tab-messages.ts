import { isFields } from '../../protocol/index.ts';
import type { TabAction, TabCommand } from '../commands.ts';
import { STATE_VERSION } from '../conversation/conversation-state.ts';
import { hasShape } from '../has-shape.ts';
import type { Patch } from './state-patch.ts';

/** From the leader. Without `state` and `patch` it only says that the leader is there. */
export interface LeaderMessage {
  readonly version: number;
  /** Leader term. Messages with a lower term are ignored. */
  readonly term: number;
  /** Counts the patches of this term, so that a follower notices a gap. */
  readonly sequence: number;
  /** A snapshot, for tabs that have just come or have missed a patch. */
  readonly state?: object;
  readonly patch?: Patch;
}

/** From a follower, which asks for a sign of life with it. */
export interface FollowerMessage {
  readonly version: number;
  /** The last patch it has applied; below 0 when it needs a snapshot. */
  readonly applied: number;
  /** Executed once, acknowledged, and sent again until then. */
  readonly commands: readonly TabCommand[];
  /** Executed by the leader that receives it, if there is one; not answered. */
  readonly notice?: TabAction | undefined;
}

const LEADER: LeaderMessage = { version: 0, term: 0, sequence: 0 };
const FOLLOWER = { version: 0, applied: 0, commands: [] };

/**
 * A message from the channel; null for one of another release, and for anything else that a script of the page's origin has
 * posted there. The content of a state is not checked, because only scripts of this very origin can write to the channel.
 */
export function readTabMessage(given: unknown): LeaderMessage | FollowerMessage | null {
  if (!hasShape(given, LEADER) && !hasShape(given, FOLLOWER)) return null;
  const {
    version,
    state = {},
    patch = {},
    notice = {},
    commands = [],
  } = given as LeaderMessage & FollowerMessage;
  const isReadable = Array.isArray(commands) && [state, patch, notice, ...commands].every(isFields);
  return version === STATE_VERSION && isReadable ? given : null;
}
