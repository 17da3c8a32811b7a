import type { Schema } from '@natter/sdk';
import type { Database } from '../db/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Person, Role } from './people.ts';
import type { PersonCalls } from './person-calls.ts';

/** Dependencies of every application for signed-in people. */
export interface PeopleServer {
  readonly database: Database;
  readonly clock: Clock;
  readonly personCalls: PersonCalls;
  readonly onFailure: (what: string, error: unknown, correlationId?: string) => void;
}

/** A call of a person who is signed in; its body has been read. */
export interface PersonCall<Body, Server extends PeopleServer> {
  readonly server: Server;
  readonly person: Person;
  readonly signIn: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The client's, under which attempts are counted. */
  readonly address: string;
  readonly correlationId: string;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  readonly body: Body;
  /** Of a route that takes a file: its content. Otherwise empty. */
  readonly file: Uint8Array;
  /** The platform's origin as the client addressed it. */
  readonly origin: string;
}

/** Metadata of a call besides its handler. */
export interface PersonRouteInfo {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the path of the application, as OpenAPI writes it. */
  readonly path: string;
  readonly summary: string;
  /** The minimum role. Default: agent. */
  readonly role?: Role;
  readonly isPublic?: boolean;
  /** Cost of a call for its person's allowance. Default 1; expensive: {@link HEAVY_COST}; 0: not limited. */
  readonly cost?: number;
  /** Whether browsers open it by navigation, even from other pages; it changes nothing. */
  readonly isNavigation?: boolean;
  readonly query?: Schema<unknown>;
  readonly body?: Schema<unknown>;
  /** The body is a file of at most this many bytes, sent as it is. */
  readonly maxFileBytes?: number;
  /** Of the answer; left out: an empty object. */
  readonly answer?: Schema<unknown>;
  /** The answer is a stream of this media type. */
  readonly streams?: string;
}

/** A call that a person can make. */
export interface PersonRoute<Server extends PeopleServer> extends PersonRouteInfo {
  readonly handle: (call: PersonCall<unknown, Server>) => Promise<object | Response>;
}
