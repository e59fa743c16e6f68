/// The keyed hashes of customers c-1 and c-2 under 32 bytes of 7.
let customerOne = "a42a9f156bb8c484be795ac2341aca9b"
let customerTwo = "60a08a045f5a6af04fbd5db502ac0e49"

/// `content_digest` of the hand-made store, computed by a separate script from the rows.
let goldenHash = "1ed806d66e6351967e40f37587f43ad19a98650b15f556a227aa5b85a43fec11"

/// Every hashed table of the hand-made store; columns are in the schema's order, and NULL is a
/// dash.
let goldenFacts = """
  fct_revenue
  100|com.example.pro|1001|1000|51001|20611001|pro.monthly|auto_renewable_subscription|\
  \(customerOne)|2021-05-08T10:00:00Z|2021-05-08|2021-06-08T10:00:00Z|2021-06-08T10:00:00Z|-|P1M|\
  -|-|regular|standard|-|-|-|-|1|1|1|1|USD|USA|price_report|9990|9990|9990|9990|-|exact|\
  reported_with_purchase|41|-|-|-|-|-|0|-|-|-|-|-|-|none|-|-|-|0|1|1|7|5
  200|com.example.pro|2001|2000|52001|20611001|pro.yearly|auto_renewable_subscription|\
  \(customerTwo)|2021-05-16T12:00:00Z|2021-05-16|2022-05-16T12:00:00Z|2022-05-16T12:00:00Z|-|P1Y|\
  -|-|regular|standard|-|-|-|-|1|2|2|1|USD|USA|price_report|9990|59990|59990|59990|-|configured|\
  catalogue_price|-|-|-|-|-|-|0|-|-|-|-|-|-|none|-|-|-|0|1|1|7|5
  300|com.example.pro|2000|2000|52000|20611001|pro.monthly|auto_renewable_subscription|\
  \(customerTwo)|2021-05-01T00:00:00Z|2021-05-01|2021-06-01T00:00:00Z|2021-05-16T12:00:00Z|-|P1M|\
  -|-|regular|standard|-|-|-|-|1|1|1|1|USD|USA|price_report|9990|9990|9990|9990|-|inferred|\
  price_history|41|-|-|-|-|-|0|-|-|-|-|-|-|upgrade|2021-05-16T12:00:00Z|-|-|0|1|1|7|5
  400|com.example.pro|abc|abc|-|20611001|coins|consumable|-|2021-05-02T00:00:00Z|2021-05-02|-|-|-|\
  -|-|-|one_time|standard|-|-|-|-|-|-|1|2|JPY|USA|price_report|9990|240000|240000|240000|-|\
  configured|catalogue_price|-|-|-|-|-|-|0|-|-|-|-|-|-|none|-|-|-|0|1|1|7|5
  500|com.example.pro|1002|1000|51002|20611001|pro.monthly|auto_renewable_subscription|\
  \(customerOne)|2021-06-08T10:00:00Z|2021-06-08|2021-07-08T10:00:00Z|2021-06-20T09:00:00Z|-|P1M|\
  -|-|regular|standard|-|-|-|-|1|2|2|1|USD|USA|price_report|9990|9990|9990|9990|-|derived|\
  previous_renewal|41|100|-|-|-|-|0|-|-|-|-|-|-|refund|2021-06-20T09:00:00Z|1|-|0|1|1|7|5
  900|com.example.pro|1000|1000|51000|20611001|pro.monthly|auto_renewable_subscription|\
  \(customerOne)|2021-05-01T10:00:00Z|2021-05-01|2021-05-08T10:00:00Z|2021-05-08T10:00:00Z|-|P1W|\
  -|-|trial|free_trial|-|-|1|-|1|-|-|1|USD|USA|price_report|9990|0|0|0|-|zero_by_rule|free_trial|\
  -|-|-|-|-|-|0|-|-|-|-|-|-|none|-|-|-|0|1|1|7|5
  bridge_transaction_id
  1000|900
  1001|100
  10011|100
  1002|500
  2000|300
  2001|200
  77|600
  abc|400
  abc-2|400
  fct_revenue_entry
  100|100|charge|2021-05-08|9990|USD|-|paid
  200|200|charge|2021-05-16|59990|USD|-|paid
  300|300|charge|2021-05-01|9990|USD|-|paid
  302|300|upgrade_credit_estimate|2021-05-16|-4995|USD|-|prorated_estimate
  400|400|charge|2021-05-02|240000|JPY|-|paid
  500|500|charge|2021-06-08|9990|USD|-|paid
  501|500|refund|2021-06-20|-9990|USD|-|full_assumed
  fct_conversion
  900|1000|20611001|\(customerOne)|1|trial|free_trial|-|com.example.pro|pro.monthly|USA|USD|\
  2021-05-01T10:00:00Z|2021-05-01|2021-05-08T10:00:00Z|1|0|converted|2021-05-08T10:00:00Z|100|\
  pro.monthly|1|1|7|9990|exact|-|0|-|2021-07-07T10:00:00Z|0|1
  fct_renewal_state
  1000|2021-05-08T10:00:01Z|com.example.pro|pro.monthly|pro.monthly|1|-|-|-|-|-|-|-|-|-
  1000|2021-06-20T10:00:00Z|com.example.pro|pro.monthly|pro.monthly|0|-|-|-|-|-|-|-|-|-
  dim_subscription
  1000|com.example.pro|20611001|\(customerOne)|2021-05-01T10:00:00Z|2021-05-01T10:00:00Z|\
  2021-05-08T10:00:00Z|pro.monthly|9990|USD|USA|-|revoked|0|pro.monthly|-|-|2021-07-08T10:00:00Z|\
  -|-|1|2
  2000|com.example.pro|-|\(customerTwo)|2021-05-01T00:00:00Z|-|2021-05-01T00:00:00Z|pro.yearly|\
  59990|USD|USA|-|active|-|-|-|-|2022-05-16T12:00:00Z|-|-|1|2
  dim_offer_eligibility
  \(customerOne)|20611001|0|used_trial|1
  dim_product
  com.example.pro|coins|consumable|-|20611001|-|-|-|-|-
  com.example.pro|pro.monthly|auto_renewable_subscription|P1M|20611001|-|-|-|-|-
  com.example.pro|pro.yearly|auto_renewable_subscription|-|20611001|-|-|-|-|-
  dim_product_price
  com.example.pro|pro.monthly|USD||regular||||0001-01-01T00:00:00Z|-|9990|1|1|1|learned
  price_evidence
  41|com.example.pro|pro.monthly|\(customerOne)|1001|100|USA|USD|9990|9990|2021-05-08T10:00:05Z|3|\
  1|believed|shown
  42|com.example.pro|pro.monthly|-|-|-|-|USD|9990000|9990|2021-05-09T10:00:05Z|3|2|unit_error|shown
  price_evidence_offer
  41||0|free_trial|1|P1W
  41|win50|4990|pay_up_front|1|P3M
  excluded_purchase
  600|77|sandbox
  service_comparison
  fct_subscription_event
  """
