/**
 * Commands that Redis knows or has announced, up to 8.6.3 and to `@ioredis/commands` 2.4: the server of a test run may be older.
 * Sub-commands are left out.
 */
export const COMMAND_NAMES: readonly string[] = `
  acl append arcount ardel ardelrange arget argetrange argrep arinfo arinsert arlastitems arlen armget armset arnext arop
  arring arscan arseek arset asking auth backup bgrewriteaof bgsave bitcount bitfield bitfield_ro bitop bitpos
  bitrangeintarray bless blmove blmovem blmpop blpop brpop brpoplpush bzmove bzmpop bzpopmax bzpopmin client cluster command
  config copy dbsize debug decr decrby del delex digest discard dump echo eval eval_ro evalsha evalsha_ro exec exists expire
  expireat expiretime failover fcall fcall_ro flushall flushdb function geoadd geodist geohash geopos georadius georadius_ro
  georadiusbymember georadiusbymember_ro geosearch geosearchstore get getbit getdel getex getrange getset hdel hello hexists
  hexpire hexpireat hexpiretime hget hgetall hgetdel hgetex himport hincrby hincrbyfloat hkeys hlen hmget hmset hotkeys
  hpersist hpexpire hpexpireat hpexpiretime hpttl hrandfield hscan hset hsetex hsetnx hstrlen httl hvals incr incrby
  incrbyfloat increx info keys lastsave latency lcs lindex linsert llen lmove lmovem lmpop lolwut lpop lpos lpush lpushx
  lrange lrem lset ltrim memory mget migrate module monitor move mset msetex msetnx multi object persist pexpire pexpireat
  pexpiretime pfadd pfcount pfdebug pfmerge pfselftest ping psetex psubscribe psync pttl publish pubsub punsubscribe quit
  randomkey readonly readwrite rename renamenx replconf replicaof reset restore restore-asking role rpop rpoplpush rpush
  rpushx sadd saddex save scan scard script sdiff sdiffcard sdiffstore select set setbit setex setnx setrange sexpire
  sexpireat sexpiretime shutdown sinter sintercard sinterstore sismember slaveof slowlog smembers smismember smove sort
  sort_ro spersist spexpire spexpireat spexpiretime spop spttl spublish srandmember srem sscan ssubscribe strlen sttl
  subscribe substr sunion sunioncard sunionstore sunsubscribe swapdb sync time touch trimslots ttl type unlink unsubscribe
  unwatch vadd vcard vdim vemb vgetattr vinfo vismember vlinks vrandmember vrange vrem vsetattr vsim wait waitaof watch xack
  xackdel xadd xautoclaim xcfgset xclaim xdel xdelex xgroup xidmprecord xinfo xlen xnack xpending xrange xread xreadgroup
  xrevrange xsetid xtrim zadd zcard zcount zdiff zdiffstore zincrby zinter zintercard zinterstore zlexcount zmove
  zmovemember zmpop zmscore zpopmax zpopmin zrandmember zrange zrangebylex zrangebyscore zrangestore zrank zrem
  zremrangebylex zremrangebyrank zremrangebyscore zrevrange zrevrangebylex zrevrangebyscore zrevrank zscan zscore zunion
  zunionstore
`
  .trim()
  .split(/\s+/);
