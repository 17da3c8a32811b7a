import { describe, expect, it } from 'vitest';
import { createNatter, isNatterError, type NatterOptions } from '../index.ts';
import { resolveHosts } from './resolve-hosts.ts';

const refusal = (options: NatterOptions): unknown => {
  try {
    createNatter(options);
  } catch (error) {
    return isNatterError(error) ? `${error.code}: ${error.message}` : error;
  }
  return null;
};

describe('hosts', () => {
  it.each([
    ['us-1', 'https://api.us-1.platform.polyai.app', 'https://api.us.poly.ai'],
    ['uk-1', 'https://api.uk-1.platform.polyai.app', 'https://api.uk.poly.ai'],
    ['euw-1', 'https://api.euw-1.platform.polyai.app', 'https://api.eu.poly.ai'],
    ['eu', 'https://api.euw-1.platform.polyai.app', 'https://api.eu.poly.ai'],
    ['studio', 'https://api.studio.platform.polyai.app', 'https://api.studio.poly.ai'],
  ])('derives the hosts of both services from region %s (C-3)', (region, runtime, monitoring) => {
    expect(resolveHosts({ region })).toEqual({ runtime, monitoring });
  });

  it('does not combine a custom host with a hosted one', () => {
    expect(resolveHosts({ region: 'us-1', baseUrl: 'https://api.us-1.example.com/' })).toEqual({
      runtime: 'https://api.us-1.example.com',
      monitoring: null,
    });
  });

  it('keeps a path before the API', () => {
    expect(resolveHosts({ baseUrl: 'https://api.uk-1.example.com/natter/' }).runtime).toBe(
      'https://api.uk-1.example.com/natter',
    );
  });

  it.each([['http://localhost:8080'], ['http://127.0.0.1:1'], ['http://[::1]:1'], ['http://platform:8080']])(
    'accepts a host of this machine or network without region and TLS: %s',
    (baseUrl) => expect(resolveHosts({ baseUrl }).runtime).toBe(baseUrl),
  );

  it('accepts a custom host with its own region, or without one if allowed', () => {
    const host = 'https://api.fra.example.com';
    expect(refusal({ baseUrl: host })).toContain('REGION_REQUIRED');
    expect(resolveHosts({ baseUrl: host, region: 'fra' }).runtime).toBe(host);
    expect(resolveHosts({ baseUrl: host, allowHostWithoutRegion: true }).runtime).toBe(host);
  });

  it('refuses a host without a region, and says what to do', () => {
    const said = 'api.platform.polyai.app names no region. Put the region into the host';
    expect(refusal({ baseUrl: 'https://api.platform.polyai.app' })).toContain(
      `REGION_REQUIRED: baseUrl ${said}`,
    );
    expect(refusal({ monitorBaseUrl: 'https://api.poly.ai' })).toContain('REGION_REQUIRED: monitorBaseUrl');
  });

  it.each<[NatterOptions, string]>([
    [{}, 'Neither region nor baseUrl is set'],
    [{ region: 'mars-1' }, 'region "mars-1" is not a hosted one'],
    [{ region: 'toString' }, 'is not a hosted one'],
    [{ baseUrl: 'api.us-1.example.com' }, 'must be an https URL'],
    [{ baseUrl: 'ftp://api.us-1.example.com' }, 'must be an https URL'],
    [{ baseUrl: 'http://api.us-1.example.com' }, 'must use https'],
    [{ baseUrl: 'https://u:p@api.us-1.example.com' }, 'must hold no user'],
    [{ baseUrl: 'https://api.us-1.example.com/?a=1' }, 'must hold no user, query or fragment'],
    [{ region: 'us-1', timeoutMs: 0 }, 'timeoutMs must be'],
    [{ region: 'us-1', timeoutMs: 3_000_000_000 }, 'timeoutMs must be'],
    [{ region: 'us-1', retries: -1 }, 'retries must be'],
    [{ region: 'us-1', apiKey: '' }, 'It is empty'],
  ])('refuses options that cannot work: %j', (options, text) => {
    expect(refusal(options)).toContain('INVALID_CONFIGURATION');
    expect(refusal(options)).toContain(text);
  });
});
