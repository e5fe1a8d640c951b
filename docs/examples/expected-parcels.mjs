// Follows the forecasts of one warehouse on the topic warehouse.expected.v1: node docs/examples/expected-parcels.mjs
// KAFKA_BROKERS names the brokers, KAFKA_PREFIX the prefix of the installation's topics; default none.
// WAREHOUSE_CODE is the warehouse, CONSUMER_GROUP the group by which Kafka keeps the position; default wms-<WAREHOUSE_CODE>.
import kafkajs from 'kafkajs';

const { KAFKA_BROKERS = 'localhost:9092', KAFKA_PREFIX = '', WAREHOUSE_CODE } = process.env;
const groupId = process.env.CONSUMER_GROUP ?? `wms-${WAREHOUSE_CODE}`;

if (!WAREHOUSE_CODE) {
  console.error('WAREHOUSE_CODE must name the warehouse.');
  process.exit(1);
}

/** The database of the warehouse's system: forecast_no → update_time and, while the forecast is this warehouse's, the forecast. */
const forecasts = new Map();

/** Takes a message. Repeats and messages that are older than what is known change nothing. */
function apply({ change, forecast }) {
  const known = forecasts.get(forecast.forecast_no);
  if (known && known.update_time > forecast.update_time) return;
  const isOurs = forecast.warehouse_code === WAREHOUSE_CODE;
  if (!isOurs && !known) return;
  forecasts.set(forecast.forecast_no, { update_time: forecast.update_time, forecast: isOurs ? forecast : null });
  console.log(JSON.stringify({ change: isOurs ? change : 'moved', forecast_no: forecast.forecast_no, status_name: forecast.status_name }));
}

const kafka = new kafkajs.Kafka({ clientId: groupId, brokers: KAFKA_BROKERS.split(','), logLevel: kafkajs.logLevel.WARN });
const consumer = kafka.consumer({ groupId });
await consumer.connect();
await consumer.subscribe({ topic: `${KAFKA_PREFIX}warehouse.expected.v1`, fromBeginning: true });
// In a real system, write to the database here: the position is committed once this returns, so a crash repeats messages and loses none.
await consumer.run({ eachMessage: async ({ message }) => apply(JSON.parse(message.value.toString())) });

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await consumer.disconnect();
    process.exit(0);
  });
}
