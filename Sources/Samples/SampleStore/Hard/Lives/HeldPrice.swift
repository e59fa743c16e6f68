/// The regular price that a running subscription pays, since its newest regular charge.
///
/// Apple's rules for subscribers: they pay every cut; a rise has the effect that the owner chose.
/// Each change is included once, in order of time, whether or not a charge falls between two of
/// them.
struct HeldPrice: Sendable {
  var price: Int64
  var currency: WorldCurrency
  /// The time of the last charge.
  var since: Int64

  /// The price after some changes, and the changes that need consent.
  ///
  /// `9.99` held, a preserved rise to `12.99`, then a cut to `8.99` → `8.99`.
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
      // A cut that stays above a preserved price changes nothing.
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
