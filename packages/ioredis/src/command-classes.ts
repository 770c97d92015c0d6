/**
 * Commands that pass untouched, by the reason. Together with the rows of `commands.ts` they are every command that ioredis or a
 * server knows; one that is in neither is passed too, and a test that compares the table with a server's list fails.
 */
export const PASSED_COMMANDS: Readonly<Record<PassedClass, readonly string[]>> = Object.freeze({
  numeric: words("incr decr incrby decrby incrbyfloat hincrby hincrbyfloat increx"),
  metadata: words("digest object memory debug"),
  sameKey: words("move swapdb"),
  array: words(
    "arset armset arinsert arring arget armget argetrange arlastitems arscan argrep arop arlen arcount arinfo ardel ardelrange arnext arseek",
  ),
  member: words(`sadd srem sismember smismember smove saddex smembers spop srandmember sscan sinter sunion sdiff sinterstore
    sunionstore sdiffstore sintercard sunioncard sdiffcard zadd zincrby zrem zscore zmscore zrank zrevrank zmove zmovemember zrange
    zrangebyscore zrevrange zrevrangebyscore zrandmember zpopmin zpopmax zmpop bzpopmin bzpopmax bzmpop bzmove zscan zunion zinter
    zdiff zrangebylex zrevrangebylex zlexcount zremrangebylex zrangestore zunionstore zinterstore zdiffstore zintercard geoadd
    geodist geohash geopos georadius georadius_ro georadiusbymember georadiusbymember_ro geosearch geosearchstore vadd vrem vsim
    vismember vemb vlinks vrandmember vrange vgetattr vsetattr hdel hexists hkeys hexpire hpexpire hexpireat hpexpireat hexpiretime
    hpexpiretime httl hpttl hpersist sexpire sexpireat sexpiretime spersist spexpire spexpireat spexpiretime spttl sttl`),
  opaque: words(`eval evalsha eval_ro evalsha_ro fcall fcall_ro function script dump restore restore-asking migrate bless monitor
    psync sync replconf slowlog pfdebug pfselftest bitrangeintarray`),
  none: words(`acl asking auth backup bgrewriteaof bgsave client cluster command config dbsize echo failover flushall flushdb hello
    hotkeys info lastsave latency lolwut module ping pubsub quit readonly readwrite replicaof reset role save select shutdown
    slaveof time trimslots wait waitaof del unlink exists expire expireat expiretime pexpire pexpireat pexpiretime persist pttl ttl
    type touch keys scan randomkey watch unwatch multi exec discard subscribe psubscribe ssubscribe unsubscribe punsubscribe
    sunsubscribe hlen llen scard zcard zcount xlen vcard vdim vinfo ltrim xack xackdel xdel xdelex xgroup xpending xsetid xtrim
    xcfgset xidmprecord xnack zremrangebyrank zremrangebyscore sentinel commandlog clusterscan`),
});

/**
 * `numeric`: works on numbers, which are held raw. `metadata`: speaks of the frame, as documented. `sameKey`: the value stays under
 * its key. `array`: Redis 8.8 arrays, which no rule covers. `member`: names that are compared and ordered. `opaque`: the server
 * alone knows what the arguments mean. `none`: no values.
 */
export type PassedClass = "numeric" | "metadata" | "sameKey" | "array" | "member" | "opaque" | "none";

function words(text: string): readonly string[] {
  return Object.freeze(text.split(/\s+/));
}
