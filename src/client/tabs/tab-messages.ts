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
