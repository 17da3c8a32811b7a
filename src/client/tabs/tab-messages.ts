import { isFields } from '../../protocol/index.ts';
import type { TabAction, TabCommand } from '../commands.ts';
import { STATE_VERSION } from '../conversation/conversation-state.ts';
import { hasShape } from '../has-shape.ts';
import type { Patch } from './state-patch.ts';

/** A message from the leader. Without `state` and `patch` it only shows that the leader is alive. */
export interface LeaderMessage {
  readonly version: number;
  /** Leader term. Messages with a lower term are ignored. */
  readonly term: number;
  /** Counts the patches of this term, so that followers detect gaps. */
  readonly sequence: number;
  /** A snapshot, for new tabs and after a missed patch. */
  readonly state?: object;
  readonly patch?: Patch;
}

/** A message from a follower, which also requests a response. */
export interface FollowerMessage {
  readonly version: number;
  /** The last applied patch; below 0 when it needs a snapshot. */
  readonly applied: number;
  /** Executed once, acknowledged, and repeated until then. */
  readonly commands: readonly TabCommand[];
  /** Executed by the leader that receives it, if any; not acknowledged. */
  readonly notice?: TabAction | undefined;
}

const LEADER: LeaderMessage = { version: 0, term: 0, sequence: 0 };
const FOLLOWER = { version: 0, applied: 0, commands: [] };

/**
 * Decodes a channel message; null for one of another release, or from another script of the page's origin. The content
 * of a state is not validated, because only scripts of this origin can write to the channel.
 */
export function readTabMessage(data: unknown): LeaderMessage | FollowerMessage | null {
  if (!hasShape(data, LEADER) && !hasShape(data, FOLLOWER)) return null;
  const {
    version,
    state = {},
    patch = {},
    notice = {},
    commands = [],
  } = data as LeaderMessage & FollowerMessage;
  const isReadable = Array.isArray(commands) && [state, patch, notice, ...commands].every(isFields);
  return version === STATE_VERSION && isReadable ? data : null;
}
