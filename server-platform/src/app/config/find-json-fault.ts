/** A position in a text; both numbers start at 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** Where a text stops being the beginning of some JSON; the place after its end when only the rest is missing. */
export function findJsonFault(text: string): TextPlace {
  let sound = 0;
  for (let unsound = text.length + 1; unsound - sound > 1; ) {
    const middle = Math.floor((sound + unsound) / 2);
    if (isBeginning(text.slice(0, middle))) sound = middle;
    else unsound = middle;
  }
  const lines = text.slice(0, sound).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Whether the text is a prefix of valid JSON. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = /at position (\d+)/.exec(message)?.[1];
    return /end of JSON|Unterminated string/.test(message) || Number(position) === text.length;
  }
}
