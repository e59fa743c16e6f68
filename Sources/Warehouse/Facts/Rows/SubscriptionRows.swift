internal import CivilTime
internal import PurchaseModel
internal import Purchases
internal import Subscriptions

/// `dim_subscription` and `fct_renewal_state`: what chains are, and were to become.
struct SubscriptionRows: Sendable {
  private let content: WarehouseContent
  private let customers: CustomerKeys

  /// Prepares what every row needs.
  init(_ content: WarehouseContent, customers: CustomerKeys) {
    self.content = content
    self.customers = customers
  }

  /// One row per subscription, by chain.
  var source: FactSource {
    let book = content.subscriptions
    let ordered = inTextOrder(book.subscriptions.indices.map { Int(book.subscriptions[$0].chain) })
    return FactSource(.table("dim_subscription"), units: ordered.count) { places, table in
      for index in ordered[places] { write(book.subscriptions[Int(index)], to: &table) }
    }
  }

  private func write(_ subscription: Subscription, to table: inout RowEncoder) {
    let chain = content.purchases.chains[Int(subscription.chain)]
    let state = subscription.renewalState.map { content.purchases.renewalStates[Int($0)] }
    table.text("original_transaction_id", chain.originalTransactionID.number)
    table.text("bundle_id", chain.bundle?.symbol)
    table.text("subscription_group_id", subscription.subscriptionGroupID?.symbol)
    table.text("customer_key", utf8: customers.digits(of: chain.customer))
    table.time("first_started_at", subscription.firstStartedAt)
    table.time("first_trial_at", subscription.firstTrialAt)
    table.time("first_paid_at", subscription.firstPaidAt)
    table.text("current_product_id", subscription.currentProductID.symbol)
    table.text("status", subscription.status.rawValue)
    table.flag("auto_renew_status", state?.autoRenewStatus)
    table.text("auto_renew_product_id", state?.autoRenewProductID?.symbol)
    table.text("expiration_intent", state?.expirationIntent)
    table.time("grace_period_expires_at", state?.gracePeriodExpiresAt)
    table.time("expires_at", subscription.expiresAt)
    table.integer("spells", Int64(subscription.spells))
    table.integer("paid_count", Int64(subscription.paidCount))
    table.insert()
  }

  /// The renewal states of all chains, by chain and time.
  ///
  /// Times are stored in whole seconds; of several states within one second the last stands.
  var states: FactSource {
    let chains = content.purchases.chains
    let ordered = inTextOrder(Array(chains.indices))
    return FactSource(.table("fct_renewal_state"), units: ordered.count) { places, table in
      for index in ordered[places] {
        let chain = chains[Int(index)]
        for position in chain.renewalStates {
          let state = content.purchases.renewalStates[position]
          let next = position + 1
          if next < chain.renewalStates.upperBound,
            content.purchases.renewalStates[next].observedAt.wholeSecond
              == state.observedAt.wholeSecond
          {
            continue
          }
          write(state, of: chain, to: &table)
          table.insert()
        }
      }
    }
  }

  private func write(_ state: RenewalState, of chain: Chain, to table: inout RowEncoder) {
    table.text("original_transaction_id", chain.originalTransactionID.number)
    table.time("observed_at", state.observedAt)
    table.text("product_id", state.productID?.symbol)
    table.text("auto_renew_product_id", state.autoRenewProductID?.symbol)
    table.flag("auto_renew_status", state.autoRenewStatus)
    table.text("expiration_intent", state.expirationIntent)
    table.flag("is_in_billing_retry", state.isInBillingRetry)
    table.time("grace_period_expires_at", state.gracePeriodExpiresAt)
    table.text("price_consent_status", state.priceConsentStatus)
  }

  /// The positions of these chains, which rise, in the list, ordered by the chains' ids as texts.
  private func inTextOrder(_ chains: [Int]) -> [Int32] {
    TextOrder.positions(
      of: chains.map { content.purchases.chains[$0].originalTransactionID.number },
      in: content.sightings.symbols)
  }
}
