/// The regular price of a running subscription, as of its newest regular charge.
///
/// The price follows Apple's rules for existing subscribers. A new list price below the
/// subscriber's price applies. A new list price above the subscriber's price applies only if the
/// owner's setting for the change includes existing subscribers. All changes between two charges
/// are applied in order of time.
struct HeldPrice: Sendable {
  var price: Int64
  var currency: WorldCurrency
  /// The time of the newest regular charge.
  var since: Int64

  /// Applies price changes, and returns the new price and the changes that need consent.
  ///
  /// Example: `9.99`, then a rise to `12.99` for new subscribers only, then a cut to `8.99` →
  /// `8.99`.
  func charged(after steps: [PriceStep]) -> (price: HeldPrice, asking: [PriceStep]) {
    var held = self
    var asking: [PriceStep] = []
    for step in steps {
      if step.effect == .currency || step.currency != held.currency {
        held.price = step.price
        held.currency = step.currency
        continue
      }
      if step.price <= held.price {
        held.price = step.price
        continue
      }
      switch step.effect {
      // A cut has no effect if the new price is still above the subscriber's preserved price.
      case .beginning, .everyone, .currency, .preserved: break
      case .moved: held.price = step.price
      case .consent:
        held.price = step.price
        asking.append(step)
      }
    }
    return (held, asking)
  }
}
