internal import ArgumentParser
internal import PurchaseModel

extension SubscriptionService {
  /// Reads the argument of `--service`, such as `revenuecat`.
  static func argument(_ text: String) throws -> SubscriptionService {
    guard let service = SubscriptionService(name: text) else {
      let names = allCases.map(\.name).joined(separator: ", ")
      throw ValidationError("--service expects one of \(names), found \(text).")
    }
    return service
  }
}
