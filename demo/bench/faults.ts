import { setTimeout } from 'node:timers/promises';
import type { FlakyLink, LinkConditions } from '../link/flaky-link.ts';

/** Faults of a platform that runs here. */
export interface PlatformFaults {
  /** Ends all sessions as if their time had run out, and gives their number. */
  expireSessions(): Promise<number>;
  /** Counts all access tokens as expired. */
  expireTokens(): Promise<void>;
  /** Ends the node in order and starts another one in its place. */
  restart(): Promise<void>;
  /** Kills the node's process with SIGKILL and starts another one in its place. */
  kill(): Promise<void>;
}

/** The switches that are on, with their effects. */
export interface LinkReport {
  readonly offline: boolean;
  readonly slow: boolean;
  readonly late: boolean;
  readonly stalled: boolean;
  readonly message: string;
}

const SLOW_BYTES_PER_SECOND = 2_000;
const SLOW_DELAY_MS = 300;
const LATE_MS = 2_000;
/** How many frames of the platform come twice, or out of order, for one press. */
const TAMPERED_FRAMES = 10;

/** Returns the switches of the link that are on. */
export function describeLink({ isRefusing, bytesPerSecond, delayMs, stalled }: LinkConditions): LinkReport {
  const on = {
    offline: isRefusing,
    slow: bytesPerSecond !== null,
    late: delayMs === LATE_MS,
    stalled: stalled !== 'none',
  };
  return { ...on, message: messageOf(on) };
}

function messageOf({ offline, slow, late, stalled }: Omit<LinkReport, 'message'>): string {
  if (offline) return 'The platform is unreachable.';
  if (stalled) return 'No frames pass, but sockets stay open.';
  if (late) return 'Every frame is delayed by two seconds.';
  return slow ? 'Slow: 2 kB/s and 300 ms of delay.' : 'The link is good.';
}

/** Faults of the link by button or switch. */
const LINK_FAULTS: Readonly<Record<string, (link: FlakyLink, isOn: boolean) => string | null>> = {
  drop(link) {
    link.drop();
    return 'The socket was cut. The widget will reconnect.';
  },
  deafen(link) {
    link.deafen('both');
    return 'The socket is half-open: it stays open but carries nothing.';
  },
  duplicate(link) {
    link.duplicate(TAMPERED_FRAMES);
    return `The next ${TAMPERED_FRAMES} frames of the platform are sent twice.`;
  },
  reorder(link) {
    link.swap(TAMPERED_FRAMES);
    return `The next ${TAMPERED_FRAMES} pairs of frames of the platform are swapped.`;
  },
  offline(link, isOn) {
    link.setConditions({ isRefusing: isOn });
    if (isOn) link.drop();
    return null;
  },
  slow(link, isOn) {
    link.setConditions({
      bytesPerSecond: isOn ? SLOW_BYTES_PER_SECOND : null,
      delayMs: isOn ? SLOW_DELAY_MS : 0,
    });
    return null;
  },
  late(link, isOn) {
    link.setConditions({ delayMs: isOn ? LATE_MS : 0 });
    return null;
  },
  stalled(link, isOn) {
    link.setConditions({ stalled: isOn ? 'both' : 'none' });
    return null;
  },
};

/** Faults of the platform. */
const PLATFORM_FAULTS: Readonly<
  Record<string, (platform: PlatformFaults, link: FlakyLink) => Promise<string>>
> = {
  expire: async (platform) => `Sessions expired: ${await platform.expireSessions()}.`,
  async expire_token(platform, link) {
    // The times in tokens are whole seconds: one that was made in this second would stay valid.
    await setTimeout(1_000);
    await platform.expireTokens();
    link.drop();
    return 'All tokens have expired and the socket was cut.';
  },
  async restart(platform, link) {
    const { isRefusing } = link.conditions;
    link.setConditions({ isRefusing: true });
    link.drop();
    try {
      await platform.restart();
    } finally {
      link.setConditions({ isRefusing });
    }
    return 'The node was stopped and replaced.';
  },
  async kill(platform) {
    await platform.kill();
    return 'The node was killed in the middle of its work and replaced.';
  },
};

/** Causes a fault; null for an unknown name. The status is 409 where the platform runs elsewhere. */
export async function applyFault(
  name: string,
  isOn: boolean,
  { link, platform }: { readonly link: FlakyLink; readonly platform: PlatformFaults | null },
): Promise<{ readonly status: 200 | 409; readonly body: object } | null> {
  const ofPlatform = Object.hasOwn(PLATFORM_FAULTS, name) ? PLATFORM_FAULTS[name] : undefined;
  if (ofPlatform) {
    if (platform === null)
      return { status: 409, body: { message: 'This needs a platform on this machine.' } };
    return { status: 200, body: { message: await ofPlatform(platform, link) } };
  }
  const ofLink = Object.hasOwn(LINK_FAULTS, name) ? LINK_FAULTS[name] : undefined;
  if (!ofLink) return null;
  const message = ofLink(link, isOn);
  return { status: 200, body: { ...describeLink(link.conditions), ...(message !== null && { message }) } };
}
