internal import Commands

/// The second stage: decides amounts and publishes the facts.
@main
enum PaidlineReconstruct {
  static func main() { CommandMain.reconstruct() }
}
