export { CORRELATION_HEADER, readErrorText } from './error-body.ts';
