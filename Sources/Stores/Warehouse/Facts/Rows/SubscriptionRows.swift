internal import Amounts
internal import CivilTime
internal import Deciding
internal import PaidAmounts
internal import PurchaseModel
internal import Purchases
internal import Subscriptions

/// Writes `dim_subscription` and `fct_renewal_state`: the status and renewal states of chains.
extension RowWriter {
  mutating func write(_ subscription: Subscription, _ decided: borrowing DecidedHouseholds) {
    let chain = decided.purchases.chains[subscription.chain.index]
    let state = subscription.renewalState.map { decided.purchases.renewalStates[$0] }
    table.begin(.subscription)
    table.text("original_transaction_id", chain.originalTransactionID.number)
    table.text("bundle_id", context.app(of: subscription.currentProductID))
    table.text("subscription_group_id", subscription.subscriptionGroupID?.symbol)
    table.text("customer_key", utf8: customers.digits(of: chain.customer))
    table.time("first_started_at", subscription.firstStartedAt)
    table.time("first_trial_at", subscription.firstTrialAt)
    table.time("first_paid_at", subscription.firstPaidAt)
    table.text("current_product_id", subscription.currentProductID.symbol)
    let amount = decided.amounts.amounts[subscription.current.index]
    table.integer("paid_milli", amount.paid?.rawValue)
    table.letters("currency", amount.currency?.rawValue)
    table.letters("storefront", amount.storefront?.rawValue)
    table.time("renews_at", subscription.renewsAt)
    table.text("status", subscription.status.rawValue)
    table.flag("auto_renew_status", state?.willGoOn)
    table.text("auto_renew_product_id", state?.autoRenewProductID?.symbol)
    table.text("expiration_intent", state?.expirationIntent)
    table.time("grace_period_expires_at", state?.gracePeriodExpiresAt)
    table.time("expires_at", subscription.expiresAt)
    table.time("seen_through_at", subscription.seenThroughAt)
    table.time("unseen_until", subscription.unseenUntil)
    table.integer("spells", Int64(subscription.spells))
    table.integer("paid_count", Int64(subscription.paidCount))
    table.insert()
  }

  /// Writes the renewal states of a chain.
  ///
  /// Times are stored in whole seconds. Of several states in one second, only the newest is
  /// written.
  mutating func writeStates(ofChain index: Int, _ decided: borrowing DecidedHouseholds) {
    let chain = decided.purchases.chains[index]
    let app = chain.rows.first.flatMap {
      context.app(of: decided.purchases.purchases[$0].productID)
    }
    for position in chain.renewalStates {
      let state = decided.purchases.renewalStates[position]
      let next = position + 1
      if next < chain.renewalStates.upperBound,
        decided.purchases.renewalStates[next].observedAt.wholeSecond
          == state.observedAt.wholeSecond
      {
        continue
      }
      table.begin(.renewalState)
      table.text("original_transaction_id", chain.originalTransactionID.number)
      table.time("observed_at", state.observedAt)
      table.text("bundle_id", app)
      table.text("product_id", state.productID?.symbol)
      table.text("auto_renew_product_id", state.autoRenewProductID?.symbol)
      table.flag("auto_renew_status", state.willGoOn)
      table.text("expiration_intent", state.expirationIntent)
      table.flag("is_in_billing_retry", state.isInBillingRetry)
      table.time("grace_period_expires_at", state.gracePeriodExpiresAt)
      table.text("price_consent_status", state.priceConsentStatus)
      table.flag("commitment_auto_renew_status", state.commitment?.autoRenewStatus)
      table.time("commitment_renews_at", state.commitment?.renewsAt)
      table.integer("commitment_renewal_price_milli", state.commitment?.price?.amount.rawValue)
      table.letters("commitment_currency", state.commitment?.price?.currency.rawValue)
      table.text("renewal_billing_plan", state.commitment?.billingPlan?.name)
      table.insert()
    }
  }
}
