/**
 * The key of an entry that the platform sent in a list. It has the position, because two entries of one message may be
 * equal. An entry with a state of its own has an `id` too: a picture's failure belongs to its address, and the focus on a
 * suggestion to its text.
 */
export const listKey = (index: number, id = ''): string => `${index} ${id}`;
