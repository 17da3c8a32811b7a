import type { RequestState } from './request-state.ts';

/** A request as the plan of offers needs it. */
export interface PlannedRequest
  extends Pick<RequestState, 'status' | 'queueId' | 'wantedPersonId' | 'declined'> {
  readonly id: string;
  /** Skills required from a person. */
  readonly skills: readonly string[];
  readonly language: string | null;
  readonly requestedAtMs: number;
  /** The visitor has closed the page, so other requests go first. */
  readonly isAway: boolean;
}

/** A person as the plan of offers needs them. */
export interface PlannedPerson {
  readonly id: string;
  /** Available, and connected to a desk. */
  readonly isThere: boolean;
  readonly queueIds: readonly string[];
  readonly skills: readonly string[];
  /** Empty: every language. */
  readonly languages: readonly string[];
  readonly capacity: number;
  /** Number of current conversations and offers. */
  readonly load: number;
  /** Time of the last offer. */
  readonly offeredAtMs: number;
}

/** How long a declined request is not offered again to the same person. */
export const DECLINED_REST_MS = 60_000;

/** Whether a person can answer a request, regardless of their presence. */
export function canAnswer(person: PlannedPerson, request: Omit<PlannedRequest, 'isAway'>): boolean {
  const { queueId, skills, language, wantedPersonId } = request;
  if (wantedPersonId === person.id) return true;
  return (
    person.queueIds.includes(queueId) &&
    skills.every((skill) => person.skills.includes(skill)) &&
    speaks(person.languages, language)
  );
}

/** Whether a list of languages includes a conversation's; regions are ignored, and an empty list includes all. */
export function speaks(languages: readonly string[], language: string | null): boolean {
  if (languages.length === 0 || language === null) return true;
  return languages.some((each) => primaryOf(each) === primaryOf(language));
}

function primaryOf(language: string): string {
  return (language.split('-')[0] ?? '').toLowerCase();
}

/**
 * Plans offers of waiting requests: the oldest request with a present visitor first, to the least busy person, and
 * among these to the one whose last offer is longest ago.
 */
export function planOffers(
  requests: readonly PlannedRequest[],
  people: readonly PlannedPerson[],
  nowMs: number,
): readonly { readonly requestId: string; readonly personId: string }[] {
  const loads = new Map(people.map(({ id, load }) => [id, load]));
  const loadOf = ({ id }: PlannedPerson): number => loads.get(id) ?? 0;
  const waiting = requests
    .filter(({ status }) => status === 'waiting')
    .toSorted(
      (left, right) => Number(left.isAway) - Number(right.isAway) || left.requestedAtMs - right.requestedAtMs,
    );
  return waiting.flatMap((request) => {
    const hasDeclined = ({ id }: PlannedPerson): boolean =>
      nowMs - (request.declined[id] ?? Number.NEGATIVE_INFINITY) < DECLINED_REST_MS;
    const isWanted = ({ id }: PlannedPerson): boolean => id === request.wantedPersonId;
    const [chosen] = people
      .filter((person) => person.isThere && loadOf(person) < person.capacity)
      .filter((person) => canAnswer(person, request) && !hasDeclined(person))
      .toSorted(
        (left, right) =>
          Number(isWanted(right)) - Number(isWanted(left)) ||
          loadOf(left) - loadOf(right) ||
          left.offeredAtMs - right.offeredAtMs,
      );
    if (chosen === undefined) return [];
    loads.set(chosen.id, loadOf(chosen) + 1);
    return [{ requestId: request.id, personId: chosen.id }];
  });
}
