/**
 * Returns the key of an entry in a list from the platform. The position is part of it, because a message may have equal
 * entries. Pass `id` for entries with state, such as a failed picture or a focused suggestion.
 */
export const listKey = (index: number, id = ''): string => `${index} ${id}`;
