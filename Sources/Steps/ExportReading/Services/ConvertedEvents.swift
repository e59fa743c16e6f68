/// RevenueCat's events in analytics tools, such as `rc_initial_purchase_event` in Amplitude.
///
/// Their revenue is in US dollars, but they have the purchase's own currency beside it. So their
/// amounts are never used.
public enum ConvertedEvents {
  /// Whether an event has this name: `rc_…_event`.
  public static func include(_ name: some StringProtocol) -> Bool {
    name.hasPrefix("rc_") && name.hasSuffix("_event")
  }

  /// What an owner of such events can do.
  public static let advice =
    "RevenueCat's events have US dollars under the currency of the purchase; list RevenueCat's own "
    + "export under inputs.exports with format: revenuecat_export, or its webhook under "
    + "inputs.prices with format: revenuecat_webhook"
}
