internal import Amounts
internal import PurchaseModel

/// The formats of events that an app sends to services for analytics and attribution.
extension PriceFormat {
  static let events = [
    PriceFormat(
      "adjust", .charged,
      """
      platform        os_name
      product_id      product_id callback_params.product_id partner_params.product_id
      total           revenue
      quantity        quantity
      currency        currency
      storefront      sales_region
      transaction_id  transaction_id
      reported_at     transaction_date created_at
      environment     environment
      """),
    PriceFormat(
      "amplitude", .list, events: ["revenue_amount"],
      """
      event           event_type
      platform        platform os_name
      product_id      event_properties.$productId
      price           event_properties.$price
      total           event_properties.$revenue
      quantity        event_properties.$quantity
      currency        event_properties.$currency
      reported_at     time event_time
      customer_id     user_id
      """),
    PriceFormat(
      "appsflyer", .list, events: ["af_purchase", "af_subscribe"],
      """
      event           eventName event_name Event\\ Name
      platform        platform Platform
      product_id      eventValue.af_content_id event_value.af_content_id Event\\ Value.af_content_id productIdentifier
      price           eventValue.af_price event_value.af_price Event\\ Value.af_price price
      total           eventValue.af_revenue event_value.af_revenue Event\\ Value.af_revenue
      quantity        eventValue.af_quantity event_value.af_quantity Event\\ Value.af_quantity
      currency        eventValue.af_currency event_value.af_currency Event\\ Value.af_currency currency eventCurrency event_revenue_currency Event\\ Revenue\\ Currency
      transaction_id  eventValue.af_order_id event_value.af_order_id Event\\ Value.af_order_id transactionId
      reported_at     eventTime event_time Event\\ Time
      customer_id     customer_user_id Customer\\ User\\ ID
      """),
    PriceFormat(
      "branch", .list, events: ["PURCHASE", "SUBSCRIBE"],
      """
      event           name
      platform        user_data.os
      product_id      content_items[].$sku
      price           content_items[].$price
      currency        content_items[].$currency event_data.currency
      quantity        content_items[].$quantity
      transaction_id  event_data.transaction_id
      reported_at     timestamp
      customer_id     user_data.developer_identity
      """),
    PriceFormat(
      "facebook", .charged, events: ["fb_mobile_purchase", "Subscribe"],
      """
      event           _eventName
      product_id      fb_content_id
      total           _valueToSum
      quantity        fb_num_items
      currency        fb_currency
      transaction_id  fb_transaction_id
      reported_at     fb_transaction_date _logTime
      customer_id     app_user_id
      """),
    PriceFormat(
      "ga4", .list, unit: .micro, events: ["in_app_purchase"],
      """
      event           event_name
      platform        platform
      product_id      event_params[key=product_id].value.string_value
      price           event_params[key=price].value.int_value
      total           event_params[key=value].value.int_value
      quantity        event_params[key=quantity].value.int_value
      currency        event_params[key=currency].value.string_value
      transaction_id  event_params[key=transaction_id].value.string_value
      reported_at     event_timestamp
      customer_id     user_id
      """),
    PriceFormat(
      "mixpanel", .charged,
      remark: "Mixpanel's charges have neither a product nor a currency: send both as properties "
        + "of your own event",
      """
      total           $append.$transactions.$amount $amount
      reported_at     $append.$transactions.$time $time
      customer_id     $distinct_id
      """),
    PriceFormat(
      "segment", .list, events: ["Order Completed"],
      """
      event           event type
      platform        context.device.type context.os.name
      product_id      properties.products[].product_id
      price           properties.products[].price
      quantity        properties.products[].quantity
      currency        properties.currency
      transaction_id  properties.order_id
      reported_at     timestamp
      customer_id     userId
      """),
  ]
}
