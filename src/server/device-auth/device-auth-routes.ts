/**
 * Routes that connect a device to an account and renew the device's key, `POST /api/v1/device-auth/*` (API decisions
 * 4).
 */
import { API } from '../../api/endpoints/endpoint-table.ts';
import { LIMITS } from '../../api/limits.ts';
import { keyHolder } from '../accounts/authenticate.ts';
import type { ServerDeps } from '../deps.ts';
import type { App } from '../http/app-type.ts';
import { routeOf } from '../http/route-of-endpoint.ts';
import { addressToShow, trialNetworkOf } from '../limits/address-networks.ts';
import { invalidInput } from '../problem-details.ts';
import type { AuthorizationCodes } from './authorization-codes.ts';
import { cleanDeviceName, clientOf } from './device-details.ts';
import type { DeviceKeys } from './device-keys.ts';
import { type DeviceRequests, spellUserCode } from './device-requests.ts';

const SECOND = 1_000;

interface ConnectNeeds {
  readonly codes: AuthorizationCodes;
  readonly requests: DeviceRequests;
  readonly connections: DeviceKeys;
}

export const registerDeviceAuthRoutes = (
  app: App,
  { webOrigin }: Pick<ServerDeps, 'webOrigin'>,
  { codes, requests, connections }: ConnectNeeds,
): void => {
  app.route({
    ...routeOf(API.startDeviceAuth),
    handler: async (request, reply) => {
      const { deviceId, platform } = request.body;
      const deviceName = cleanDeviceName(request.body.deviceName);
      if (deviceName === '') throw invalidInput({ path: '/deviceName', message: 'must have a visible character' });
      const device = { deviceId, deviceName, client: clientOf(platform) };
      const { deviceCode, userCode } = await requests.start(device, addressToShow(request));
      const verificationUri = `${webOrigin()}/connect/device`;
      reply.header('cache-control', 'no-store');
      return {
        deviceCode,
        userCode: spellUserCode(userCode),
        verificationUri,
        verificationUriComplete: `${verificationUri}?code=${spellUserCode(userCode)}`,
        expiresIn: LIMITS.deviceCodeMs / SECOND,
        interval: LIMITS.devicePollMs / SECOND,
      };
    },
  });

  app.route({
    ...routeOf(API.deviceToken),
    handler: async (request, reply) => {
      const { body } = request;
      const from = trialNetworkOf(request);
      reply.header('cache-control', 'no-store');
      const connection =
        body.grantType === 'device_code'
          ? await requests.poll(body.deviceCode, connections.connect)
          : await codes.redeem(body, connections.connect);
      return await connections.present(connection, from);
    },
  });

  app.route({
    ...routeOf(API.renewKey),
    handler: async (request) => await connections.renew(keyHolder(request)),
  });
};
