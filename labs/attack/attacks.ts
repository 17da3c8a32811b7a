import type { Attack } from './attack.ts';
import { adminSocket } from './attacks/costly-calls/admin-socket.ts';
import { consoleOverview } from './attacks/costly-calls/console-overview.ts';
import { deskCalls } from './attacks/costly-calls/desk-calls.ts';
import { deskLine } from './attacks/costly-calls/desk-line.ts';
import { externalEvents } from './attacks/costly-calls/external-events.ts';
import { hangingFarEnds } from './attacks/costly-calls/hanging-far-ends.ts';
import { longConversations } from './attacks/costly-calls/long-conversations.ts';
import { sessionStorm } from './attacks/costly-calls/session-storm.ts';
import { uploads } from './attacks/costly-calls/uploads.ts';
import { visitorData } from './attacks/costly-calls/visitor-data.ts';
import { accessTokenGuesses } from './attacks/guesses/access-token-guesses.ts';
import { connectorGuesses } from './attacks/guesses/connector-guesses.ts';
import { cursors } from './attacks/guesses/cursors.ts';
import { deskGuesses } from './attacks/guesses/desk-guesses.ts';
import { keyGuesses } from './attacks/guesses/key-guesses.ts';
import { sessionIds } from './attacks/guesses/session-ids.ts';
import { abortedUploads } from './attacks/http/aborted-uploads.ts';
import { hosts } from './attacks/http/hosts.ts';
import { hugeHeaders } from './attacks/http/huge-headers.ts';
import { requestFloods } from './attacks/http/request-floods.ts';
import { slowBodies } from './attacks/http/slow-bodies.ts';
import { slowHeaders } from './attacks/http/slow-headers.ts';
import { smuggling } from './attacks/http/smuggling.ts';
import { formKeys } from './attacks/inputs/form-keys.ts';
import { longStrings } from './attacks/inputs/long-strings.ts';
import { markdown } from './attacks/inputs/markdown.ts';
import { nestedJson } from './attacks/inputs/nested-json.ts';
import { xml } from './attacks/inputs/xml.ts';
import { acceptedFrames } from './attacks/sockets/accepted-frames.ts';
import { brokenFrames } from './attacks/sockets/broken-frames.ts';
import { compressedFrames } from './attacks/sockets/compressed-frames.ts';
import { deafReaders } from './attacks/sockets/deaf-readers.ts';
import { filledFrames } from './attacks/sockets/filled-frames.ts';
import { fragments } from './attacks/sockets/fragments.ts';
import { halfOpen } from './attacks/sockets/half-open.ts';
import { handshakeResets } from './attacks/sockets/handshake-resets.ts';
import { largeFrames } from './attacks/sockets/large-frames.ts';
import { oneByteFrames } from './attacks/sockets/one-byte-frames.ts';
import { pings } from './attacks/sockets/pings.ts';
import { refusedFrames } from './attacks/sockets/refused-frames.ts';
import { undecodableFrames } from './attacks/sockets/undecodable-frames.ts';

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
  filledFrames,
  longConversations,
  externalEvents,
  consoleOverview,
  hangingFarEnds,
  deskCalls,
  deskGuesses,
  deskLine,
  adminSocket,
  // The last: for a minute after it no attacker gets a session at the token proxy.
  sessionStorm,
];
