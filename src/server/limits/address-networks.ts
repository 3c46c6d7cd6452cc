/**
 * Maps the address of a client to the networks that limits count: an IPv4 address by itself, an IPv6 address as its /64
 * and, with a multiple of the limit, its /56. Also returns the network for the limit on trials, and the address as
 * text to display.
 */
import { isIPv4, isIPv6 } from 'node:net';
import type { Brand } from '../../api/ids.ts';
import type { ServerConfig } from '../config/config.ts';

/** A network in canonical form, such as `203.0.113.9` or `2001:db8:0:1::/64`. */
export type Network = string & Brand<'Network'>;

interface CountedNetwork {
  readonly network: Network;
  /** Multiple of the normal limit. */
  readonly factor: number;
}

/** All networks that a request counts for, narrowest first. A limit must hold for each of them. */
export type Networks = readonly [CountedNetwork, ...CountedNetwork[]];

/** The scope of one trial: a household or an office. */
export type TrialNetwork = string & Brand<'TrialNetwork'>;

const GROUPS = 8;
const GROUP_BITS = 16;
const LINE_BITS = 64;
const CUSTOMER_BITS = 56;
const TRIAL_BITS = 48;
/** All invalid addresses from a proxy count as one network. */
const UNKNOWN = 'unknown';

/** A proxy may include a port: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

/** The last two groups may be written as an IPv4 address. */
const groupsIn = (text: string): readonly number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)];
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
        return [a * 256 + b, c * 256 + d];
      });

const groupsOf = (address: string): readonly number[] => {
  const [head = '', tail] = address.split('::');
  const [before, after] = [groupsIn(head), groupsIn(tail ?? '')];
  return [...before, ...Array.from({ length: GROUPS - before.length - after.length }, () => 0), ...after];
};

const isMapped = (groups: readonly number[]): boolean =>
  groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;

const ipv4In = (groups: readonly number[]): string =>
  groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');

type Parsed = { readonly v4: string } | { readonly v6: readonly number[] } | null;

/** Of a request: nothing is known of a client that has gone meanwhile, though Fastify's types promise its address. */
interface From {
  readonly ip: string | undefined;
}

const parse = (text: string): Parsed => {
  const address = withoutPort(text.trim()).split('%')[0] ?? '';
  if (isIPv4(address)) return { v4: address };
  if (!isIPv6(address)) return null;
  const groups = groupsOf(address);
  return isMapped(groups) ? { v4: ipv4In(groups) } : { v6: groups };
};

/** The first `bits` of an address. */
const prefix = (groups: readonly number[], bits: number): string => {
  const prefixGroups = groups.slice(0, Math.ceil(bits / GROUP_BITS)).map((group, index) => {
    const inside = Math.min(GROUP_BITS, bits - index * GROUP_BITS);
    return (group & (0xffff << (GROUP_BITS - inside)) & 0xffff).toString(16);
  });
  return `${prefixGroups.join(':')}::/${bits}`;
};

const counted = (network: string, factor: number): CountedNetwork => ({ network: network as Network, factor });

interface KnownAddress {
  /** The narrowest network. */
  readonly line: Networks;
  /** The /56 of an IPv6 address. */
  readonly customer: Network | null;
}

/** Each request asks several times, mostly for the same address. */
const known = new Map<string, KnownAddress>();
const KNOWN_MAX = 1_000;

const addressOf = (ip: string): KnownAddress => {
  const remembered = known.get(ip);
  if (remembered !== undefined) return remembered;
  const address = networksIn(ip);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(ip, address);
  return address;
};

const networksIn = (ip: string): KnownAddress => {
  const parsed = parse(ip);
  if (parsed === null) return { line: [counted(UNKNOWN, 1)], customer: null };
  if ('v4' in parsed) return { line: [counted(parsed.v4, 1)], customer: null };
  const customer = prefix(parsed.v6, CUSTOMER_BITS) as Network;
  return { line: [counted(prefix(parsed.v6, LINE_BITS), 1)], customer };
};

/**
 * The networks of a request from `ip`. Only this module creates a `Network`, so that no limit counts single addresses.
 */
export const networksOf = (
  { ip }: From,
  { widerNetworkFactor }: Pick<ServerConfig['limits'], 'widerNetworkFactor'>,
): Networks => {
  const { line, customer } = addressOf(ip ?? '');
  return customer === null ? line : [line[0], counted(customer, widerNetworkFactor)];
};

/** The narrowest network of a connection's peer. */
export const networkOfSocket = ({ remoteAddress }: { readonly remoteAddress?: string | undefined }): Network =>
  addressOf(remoteAddress ?? '').line[0].network;

/** The first three bytes of an IPv4 address, the first three groups of an IPv6 address. */
export const trialNetworkOf = ({ ip }: From): TrialNetwork => {
  const parsed = parse(ip ?? '');
  if (parsed === null) return UNKNOWN as TrialNetwork;
  if ('v6' in parsed) return prefix(parsed.v6, TRIAL_BITS) as TrialNetwork;
  return `${parsed.v4.split('.').slice(0, 3).join('.')}.0/24` as TrialNetwork;
};

/** The address itself, for display only. It is not used for limits. */
export const addressToShow = ({ ip }: From): string => ip ?? UNKNOWN;
