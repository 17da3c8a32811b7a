import * as v from 'valibot';
import type { FieldError } from './parse.ts';

/** A rule about several fields of an object: the result of `find` becomes an issue of the named field, or of none. */
export function queryFault<Input>(find: (given: Input) => FieldError | null): v.RawCheckAction<Input> {
  return v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed ? find(dataset.value) : null;
    if (fault === null) return;
    const { field: key, message } = fault;
    if (key === '') addIssue({ message });
    else addIssue({ message, path: [{ type: 'object', origin: 'value', input: {}, key, value: undefined }] });
  });
}
