import type { Attack } from './attack.ts';
import { abortedUploads } from './attacks/aborted-uploads.ts';
import { acceptedFrames } from './attacks/accepted-frames.ts';
import { accessTokenGuesses } from './attacks/access-token-guesses.ts';
import { adminSocket } from './attacks/admin-socket.ts';
import { brokenFrames } from './attacks/broken-frames.ts';
import { compressedFrames } from './attacks/compressed-frames.ts';
import { connectorGuesses } from './attacks/connector-guesses.ts';
import { cursors } from './attacks/cursors.ts';
import { deafReaders } from './attacks/deaf-readers.ts';
import { deskCalls } from './attacks/desk-calls.ts';
import { deskGuesses } from './attacks/desk-guesses.ts';
import { formKeys } from './attacks/form-keys.ts';
import { fragments } from './attacks/fragments.ts';
import { halfOpen } from './attacks/half-open.ts';
import { handshakeResets } from './attacks/handshake-resets.ts';
import { hosts } from './attacks/hosts.ts';
import { hugeHeaders } from './attacks/huge-headers.ts';
import { keyGuesses } from './attacks/key-guesses.ts';
import { largeFrames } from './attacks/large-frames.ts';
import { longStrings } from './attacks/long-strings.ts';
import { markdown } from './attacks/markdown.ts';
import { nestedJson } from './attacks/nested-json.ts';
import { oneByteFrames } from './attacks/one-byte-frames.ts';
import { pings } from './attacks/pings.ts';
import { refusedFrames } from './attacks/refused-frames.ts';
import { requestFloods } from './attacks/request-floods.ts';
import { sessionIds } from './attacks/session-ids.ts';
import { sessionStorm } from './attacks/session-storm.ts';
import { slowBodies } from './attacks/slow-bodies.ts';
import { slowHeaders } from './attacks/slow-headers.ts';
import { smuggling } from './attacks/smuggling.ts';
import { undecodableFrames } from './attacks/undecodable-frames.ts';
import { uploads } from './attacks/uploads.ts';
import { visitorData } from './attacks/visitor-data.ts';
import { xml } from './attacks/xml.ts';

/** Every attack, in the order in which a run has them. */
export const ATTACKS: readonly Attack[] = [
  handshakeResets,
  halfOpen,
  slowHeaders,
  slowBodies,
  abortedUploads,
  hugeHeaders,
  hosts,
  smuggling,
  requestFloods,
  oneByteFrames,
  undecodableFrames,
  refusedFrames,
  acceptedFrames,
  pings,
  largeFrames,
  fragments,
  brokenFrames,
  compressedFrames,
  deafReaders,
  nestedJson,
  formKeys,
  xml,
  longStrings,
  markdown,
  keyGuesses,
  connectorGuesses,
  accessTokenGuesses,
  sessionIds,
  cursors,
  uploads,
  visitorData,
  deskCalls,
  deskGuesses,
  adminSocket,
  // The last: for a minute after it nobody of the attackers gets a session at the token proxy.
  sessionStorm,
];
