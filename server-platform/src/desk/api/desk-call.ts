import type { Schema } from '@natter/sdk';
import type { Sql } from '../../db/index.ts';
import type { Bus } from '../../realtime/bus/index.ts';
import type { EventLog } from '../../realtime/event-log/index.ts';
import type {
  OidcSignIn,
  PeopleServer,
  Person,
  PersonCall,
  PersonRoute,
  PersonRouteInfo,
  SignInAttempt,
} from '../../staff/index.ts';
import type { Desk } from '../desk.ts';
import type { PersonStream } from './person-stream.ts';

/** Dependencies of desk calls. */
export interface DeskServer extends PeopleServer {
  readonly bus: Bus;
  readonly log: Pick<EventLog, 'readPage'>;
  readonly desk: Desk;
  /** Address of the platform in links to files; null: as the request named it. */
  readonly publicUrl: string | null;
  /** For reads that all open streams make at the same time. */
  readonly sharedReads: Sql;
  /** The open streams, for the shutdown. */
  readonly streams: Set<PersonStream>;
  /** Counts a stream that was cut off because its page reads too slowly. */
  readonly countSlowReader: () => void;
  /** Checks a sign-in; throws a `DeskError` when there were too many. */
  readonly checkSignIn: (attempt: SignInAttempt) => Promise<Person>;
  /** Null: people sign in with passwords only. */
  readonly oidc: OidcSignIn | null;
  /** Throws a `DeskError` when an address visited the OpenID provider too often. */
  readonly limitOidc: (address: string) => void;
}

/** A desk call with its parsed body and signed-in person. */
export type DeskCall<Body = undefined> = PersonCall<Body, DeskServer>;

/** A call that a desk can make. */
export type DeskRoute = PersonRoute<DeskServer>;

/** A call of a person who is signed in. */
export function deskRoute<Body = undefined>(
  info: Omit<PersonRouteInfo, 'body'> & { readonly body?: Schema<Body> },
  handle: (call: DeskCall<Body>) => Promise<object | Response>,
): DeskRoute {
  // The application has parsed the body with this schema; types cannot express that.
  return { ...info, handle: (call) => handle(call as DeskCall<Body>) };
}
