internal import Amounts
internal import CivilTime
internal import PurchaseModel

/// Writes the lines of a hosted service's export in the service's own form.
struct ServiceExportText {
  private let service: SubscriptionService

  init(_ service: SubscriptionService) { self.service = service }

  /// The name of the format in pipelines.
  var format: String {
    service == .superwall || service == .qonversion
      ? "\(service.name)_webhook" : "\(service.name)_export"
  }

  /// The ending of the files' names, without `.gz`.
  var ending: String { service == .superwall || service == .qonversion ? "ndjson" : "csv" }

  /// The header of a table; empty for objects.
  var head: String {
    switch service {
    case .revenueCat: Self.revenueCatColumns.joined(separator: ",") + "\n"
    case .adapty: Self.adaptyColumns.joined(separator: ",") + "\n"
    case .apphud: Self.apphudColumns.joined(separator: ",") + "\n"
    case .superwall, .qonversion: ""
    }
  }

  /// Returns the line for a transaction in one of its states.
  func line(_ sale: ServiceSale, _ state: ServiceState) -> String {
    switch service {
    case .revenueCat: revenueCat(sale, state)
    case .adapty: adapty(sale, state)
    case .apphud: apphud(sale, state)
    case .superwall: superwall(sale, state)
    case .qonversion: qonversion(sale, state)
    }
  }

  private func row(_ columns: [String], _ values: [String: String]) -> String {
    columns.map { values[$0] ?? "" }.joined(separator: ",")
  }

  private func store(_ sale: ServiceSale) -> String {
    switch sale.buyer {
    case .playStore: "play_store"
    case .promotional: "promotional"
    case .appStore, .sandbox, .family: "app_store"
    }
  }

  private func money(_ milli: Int64, _ sale: ServiceSale) -> String {
    Milliunits(milli).text(decimals: 2)
  }

  /// A time as `2024-05-01 10:00:00`.
  private func time(_ at: Int64?) -> String {
    guard let at else { return "" }
    return Instant(milliseconds: at).text.replacing("T", with: " ").replacing("Z", with: "")
  }

  private func revenueCat(_ sale: ServiceSale, _ state: ServiceState) -> String {
    let isRefunded = state.event == .refund
    let isOff = sale.renewalOffAt.map { state.at >= $0 } ?? false
    return row(
      Self.revenueCatColumns,
      [
        "rc_original_app_user_id": "rc-\(sale.customer)",
        "rc_last_seen_app_user_id_alias": "u-\(sale.customer)", "country": sale.country.rawValue,
        "product_identifier": sale.product.rawValue, "start_time": time(sale.startsAt),
        // A refund ends the transaction.
        "end_time": time(isRefunded && sale.endsAt != nil ? sale.refundedAt : sale.endsAt),
        "store": store(sale), "is_auto_renewable": "\(sale.endsAt != nil)",
        "is_trial_period": "\(sale.kind == .trial)",
        "is_in_intro_offer_period": "\(sale.kind == .intro)",
        "is_sandbox": "\(sale.buyer == .sandbox)", "price_in_usd": money(sale.stated, sale),
        "store_transaction_id": "\(sale.transaction)",
        "original_store_transaction_id": "\(sale.original)",
        "refunded_at": isRefunded ? time(sale.refundedAt) : "",
        "unsubscribe_detected_at": isOff ? time(sale.renewalOffAt) : "",
        "purchased_currency": sale.statedCurrency,
        "price_in_purchased_currency": isRefunded ? "0" : money(sale.stated, sale),
        "renewal_number": "\(sale.number)", "platform": "iOS",
        "ownership_type": sale.buyer == .family ? "FAMILY_SHARED" : "PURCHASED",
        "country_source": "from_sdk", "purchase_price_in_usd": money(sale.stated, sale),
        "purchase_price_in_purchased_currency": money(sale.stated, sale),
        "product_duration": sale.endsAt == nil ? "" : sale.product.period,
        "updated_at": time(state.at),
      ])
  }

  private static let revenueCatColumns =
    """
    rc_original_app_user_id,rc_last_seen_app_user_id_alias,country,product_identifier,start_time,\
    end_time,store,is_auto_renewable,is_trial_period,is_in_intro_offer_period,is_sandbox,\
    price_in_usd,takehome_percentage,store_transaction_id,original_store_transaction_id,\
    refunded_at,unsubscribe_detected_at,billing_issues_detected_at,purchased_currency,\
    price_in_purchased_currency,renewal_number,platform,ownership_type,country_source,\
    purchase_price_in_usd,purchase_price_in_purchased_currency,product_duration,updated_at,\
    offer,offer_type
    """.split(separator: ",").map(String.init)

  /// The name of the event in Adapty's and Qonversion's logs.
  private func eventName(_ sale: ServiceSale, _ state: ServiceState) -> String {
    let isAdapty = service == .adapty
    switch state.event {
    case .refund:
      return sale.endsAt != nil
        ? "subscription_refunded"
        : isAdapty ? "non_subscription_purchase_refunded" : "in_app_purchase_refunded"
    case .renewalOff:
      let name = sale.isFree ? "trial" : "subscription"
      return isAdapty ? "\(name)_renewal_cancelled" : "\(name)_canceled"
    case .purchase:
      switch sale.kind {
      case .trial: return "trial_started"
      case .oneTime: return isAdapty ? "non_subscription_purchase" : "in_app_purchase"
      case .intro, .regular:
        return sale.number == 1 ? "subscription_started" : "subscription_renewed"
      }
    }
  }

  /// The amount where family members' rows are not marked: they cost nothing.
  private func unmarked(_ sale: ServiceSale) -> String {
    sale.buyer == .family ? "0.00" : money(sale.stated, sale)
  }

  private func adapty(_ sale: ServiceSale, _ state: ServiceState) -> String {
    let amount = unmarked(sale)
    return row(
      Self.adaptyColumns,
      [
        "profile_id": "p-\(sale.customer)", "event_type": eventName(sale, state),
        "event_datetime": time(state.at).replacing(" ", with: "T") + ".000000+0000",
        "transaction_id": "\(sale.transaction)", "original_transaction_id": "\(sale.original)",
        "subscription_expires_at": sale.endsAt == nil
          ? "" : time(sale.endsAt).replacing(" ", with: "T") + ".000000+0000",
        "environment": sale.buyer == .sandbox ? "Sandbox" : "Production",
        "revenue_usd": amount, "revenue_local": state.event == .refund ? "-\(amount)" : amount,
        "customer_user_id": "u-\(sale.customer)", "store": store(sale),
        "product_id": sale.product.rawValue, "currency": sale.statedCurrency,
        "store_country": sale.country.rawValue,
      ])
  }

  private static let adaptyColumns =
    """
    profile_id,event_type,event_datetime,transaction_id,original_transaction_id,\
    subscription_expires_at,environment,revenue_usd,proceeds_usd,revenue_local,customer_user_id,\
    store,product_id,currency,store_country
    """.split(separator: ",").map(String.init)

  private func apphud(_ sale: ServiceSale, _ state: ServiceState) -> String {
    let event =
      switch state.event {
      case .purchase: sale.number == 1 ? "\(sale.kind.rawValue)_started" : "subscription_renewed"
      case .renewalOff: "autorenew_disabled"
      case .refund: "subscription_refunded"
      }
    return row(
      Self.apphudColumns,
      [
        "id": "\(sale.transaction)-\(event)", "created_at": time(state.at),
        "updated_at": time(state.at), "event_name": event, "purchased_at": time(sale.startsAt),
        "expires_at": time(sale.endsAt),
        "cancelled_at": state.event == .refund ? time(sale.refundedAt) : "",
        "transaction_id": "\(sale.transaction)", "original_transaction_id": "\(sale.original)",
        "price_usd": money(sale.stated, sale), "price": money(sale.stated, sale),
        "quantity": "1", "product_id": sale.product.rawValue, "store": store(sale),
        "trial_period": "\(sale.kind == .trial)", "intro_period": "\(sale.kind == .intro)",
        "is_upgraded": "false", "family_shared": "\(sale.buyer == .family)",
        "subscription_type": sale.endsAt == nil ? "nonrenewable" : "autorenewable",
        "environment": sale.buyer == .sandbox ? "sandbox" : "production",
        "user_id": "u-\(sale.customer)", "internal_user_id": "i-\(sale.customer)",
        "currency": sale.statedCurrency, "store_country": sale.country.rawValue,
      ])
  }

  private static let apphudColumns =
    """
    id,created_at,updated_at,event_name,purchased_at,expires_at,cancelled_at,transaction_id,\
    original_transaction_id,price_usd,price,proceeds_usd,proceeds,quantity,commission,product_id,\
    store,trial_period,intro_period,is_upgraded,family_shared,subscription_type,environment,\
    user_id,internal_user_id,currency,store_country
    """.split(separator: ",").map(String.init)

  private func superwall(_ sale: ServiceSale, _ state: ServiceState) -> String {
    let name =
      switch state.event {
      case .renewalOff, .refund: "cancellation"
      case .purchase:
        sale.kind == .oneTime
          ? "non_renewing_purchase" : sale.number == 1 ? "initial_purchase" : "renewal"
      }
    let reason = state.event == .refund ? "\"CUSTOMER_SUPPORT\"" : "null"
    let type = sale.kind == .trial ? "TRIAL" : sale.kind == .intro ? "INTRO" : "NORMAL"
    let amount = money(sale.stated, sale)
    return """
      {"object":"event","type":"\(name)","timestamp":\(state.at),"data":{"name":"\(name)",\
      "cancelReason":\(reason),"periodType":"\(type)","countryCode":"\(sale.country.rawValue)",\
      "price":\(amount),"priceInPurchasedCurrency":\(state.event == .refund ? "-" : "")\(amount),\
      "isFamilyShare":\(sale.buyer == .family),"offerCode":null,\
      "expirationAt":\(sale.endsAt.map { "\($0)" } ?? "null"),\
      "transactionId":"\(sale.transaction)","originalTransactionId":"\(sale.original)",\
      "originalAppUserId":"u-\(sale.customer)","store":"\(store(sale).uppercased())",\
      "purchasedAt":\(sale.startsAt),"currencyCode":"\(sale.statedCurrency)",\
      "productId":"\(sale.product.rawValue)",\
      "environment":"\(sale.buyer == .sandbox ? "SANDBOX" : "PRODUCTION")","ts":\(state.at)}}
      """
  }

  private func qonversion(_ sale: ServiceSale, _ state: ServiceState) -> String {
    let amount = unmarked(sale)
    let platform =
      switch sale.buyer {
      case .playStore: "Android"
      case .promotional: "promotional"
      default: "iOS"
      }
    return """
      {"event_name":"\(eventName(sale, state))","time":\(state.at / 1000),\
      "product_id":"\(sale.product.rawValue)","custom_user_id":"u-\(sale.customer)",\
      "user_id":"q-\(sale.customer)",\
      "price":{"value":\(amount),"value_usd":\(amount),"currency":"\(sale.statedCurrency)"},\
      "transaction":{"transaction_id":\(sale.transaction),\
      "original_transaction_id":\(sale.original),\
      "expires":\(sale.endsAt.map { "\($0 / 1000)" } ?? "null"),\
      "transaction_date":\(sale.startsAt / 1000),"grace_period_expires":null},\
      "environment":"\(sale.buyer == .sandbox ? "sandbox" : "production")",\
      "platform":"\(platform)"}
      """
  }
}
