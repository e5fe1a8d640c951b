import { describe, expect, test } from '@jest/globals';
import { pathParameters } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import fc from 'fast-check';
import { pushRoute, RouteTable } from './route-table.ts';

/** As the gateway makes it, but for its own pages. */
const forwarded = [...routes, pushRoute];
const table = new RouteTable(forwarded, 'sandbox');
const segment = fc.stringMatching(/^[A-Za-z0-9%._~-]{1,20}$/);

function idOf(method: string, path: string): string | undefined {
  const match = table.match(method, path);
  return match && 'route' in match ? match.route.id : undefined;
}

describe('the route table', () => {
  test('finds every route that is forwarded by any value of its parameters', () => {
    fc.assert(
      fc.property(fc.constantFrom(...forwarded), fc.array(segment, { minLength: 3, maxLength: 3 }), (route, values) => {
        const reserved = ['weighing', 'tracking', 'pdf', 'test', 'rotate-secret', 'deliveries', 'replay'];
        fc.pre(!values.some((value) => reserved.includes(value)));
        const path = pathParameters(route.path).reduce(
          (text, name, index) => text.replace(`{${name}}`, values[index] as string),
          route.path,
        );
        expect(idOf(route.method, path)).toBe(route.id);
      }),
    );
  });

  test('prefers a fixed path to a parameter', () => {
    expect(idOf('GET', '/open/v1/forecasts/weighing')).toBe('queryWeighing');
    expect(idOf('GET', '/open/v1/forecasts/tracking')).toBe('queryTracking');
    expect(idOf('GET', '/open/v1/forecasts/weighing2')).toBe('getForecast');
    // Compared as sent: what a service would read as a po_number is one here too.
    expect(idOf('GET', '/open/v1/forecasts/%77eighing')).toBe('getForecast');
  });

  test('distinguishes a wrong method from an unknown path', () => {
    expect(table.match('PUT', '/open/v1/forecasts')).toMatchObject({ allow: 'GET, POST' });
    expect(table.match('POST', '/open/v1/forecasts/weighing')).toMatchObject({ allow: 'GET' });
    expect(table.match('HEAD', '/open/v1/forecasts')).toMatchObject({ allow: 'GET, POST' });
    expect(table.match('GET', '/carriers/v1/17track/con_1')).toMatchObject({ allow: 'POST' });
    expect(table.match('HEAD', '/photos/a')).toMatchObject({ route: { id: 'openPhoto' } });
    for (const path of [
      '',
      '/',
      '/open',
      '/open/v1/forecasts/',
      '/open/v1/forecasts//cancel',
      '//open/v1/forecasts',
      '/OPEN/v1/forecasts',
      '/files/',
      '/files/a/b',
      '/carriers/v1/17track',
      '/carriers/v1/17track/',
      '/carriers/v1//con_1',
      '/carriers/v1/17track/con_1/more',
      '/__proto__',
      '/constructor',
    ]) {
      expect(table.match('GET', path)).toBeUndefined();
    }
  });

  test('leaves out in production what is for the sandbox', () => {
    const production = new RouteTable(forwarded, 'production');
    expect(production.match('POST', '/sandbox/v1/simulations')).toBeUndefined();
    expect(table.match('POST', '/sandbox/v1/simulations')).toBeDefined();
    expect(production.match('POST', '/carriers/v1/17track/con_1')).toMatchObject({ route: pushRoute });
  });
});
