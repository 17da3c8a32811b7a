import { isFields } from '../../protocol/index.ts';

/** The fields of a JSON text; none of anything else. */
export function readFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(text);
    return isFields(fields) ? fields : {};
  } catch {
    return {};
  }
}
