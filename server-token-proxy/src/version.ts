/** Version of this package, as `/v1/health` and the upstream `User-Agent` report it. A test keeps it equal to package.json. */
export const VERSION = '0.1.0';
