/** One reader of outside input, with an input of about `size` characters that is bad for a careless one. */
export interface LinearCase {
  readonly name: string;
  /** Makes the input, and returns the call that reads it. */
  readonly prepare: (size: number) => () => unknown;
}

/** Marks of two combining classes in turn: canonical order wants them sorted. */
export const MARKS = '\u0315\u0316';

/** The input `unit`, repeated to about `size` characters, between a start and an end. */
export const fill = (size: number, unit: string, start = '', end = ''): string =>
  start + unit.repeat(Math.ceil(size / unit.length)) + end;

/** A case that reads a text. */
export const of = (
  name: string,
  make: (size: number) => string,
  read: (text: string) => unknown,
): LinearCase => ({
  name,
  prepare: (size) => {
    const text = make(size);
    return () => read(text);
  },
});

/** The error, where reading refuses. */
export const attempt = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error;
  }
};

/** Joins the results of `write` for 0, 1, 2 … up to about `size` characters. */
export const numbered = (size: number, write: (n: number) => string, between = ''): string =>
  Array.from({ length: Math.ceil(size / 8) }, (_, n) => write(n)).join(between);
