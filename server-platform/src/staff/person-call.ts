import type { Schema } from '@natter/sdk';
import type { Database } from '../db/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Person, Role } from './people.ts';
import type { PersonCalls } from './person-calls.ts';

/** What every application of people who sign in works with. */
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
}

/** Metadata of a call besides its handler. */
export interface PersonRouteInfo {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the path of the application, as OpenAPI writes it. */
  readonly path: string;
  readonly summary: string;
  /** The role that is needed at least. Default: agent. */
  readonly role?: Role;
  readonly isPublic?: boolean;
  /** How much of its person's allowance a call uses up. Default 1; much work: {@link HEAVY_COST}; 0: always made. */
  readonly cost?: number;
  /** An address that browsers open, also coming from other pages; it changes nothing. */
  readonly isNavigation?: boolean;
  readonly query?: Schema<unknown>;
  readonly body?: Schema<unknown>;
  /** Of the answer; left out: an empty object. */
  readonly answer?: Schema<unknown>;
  /** The answer is a stream of this media type. */
  readonly streams?: string;
}

/** A call that a person can make. */
export interface PersonRoute<Server extends PeopleServer> extends PersonRouteInfo {
  readonly handle: (call: PersonCall<unknown, Server>) => Promise<object | Response>;
}
